import type { ApplicationFailure } from '@temporalio/common';
import type { ModelError, ModelErrorCause } from '../models/model-error.ts';
import type { FailureType } from '../workflows/failure-types.ts';
import { finalFailure, passingFailure } from './failures.ts';

const types: Record<ModelErrorCause, FailureType> = {
  'rate-limited': 'ModelRateLimited',
  overloaded: 'ModelOverloaded',
  server: 'ModelServerError',
  connection: 'ModelUnreachable',
  timeout: 'ModelTimeout',
  authentication: 'ModelAuthentication',
  'bad-request': 'ModelRequestRefused',
  'context-too-long': 'ModelContextTooLong',
  'content-refused': 'ModelContentRefused',
  'quota-spent': 'ModelQuotaSpent',
};

/** What a person can do where another try would not help. */
const advice: Partial<Record<ModelErrorCause, string>> = {
  authentication: 'Check its key (`longhaul models`), then resume.',
  'quota-spent': 'Raise the quota or name another model, then resume.',
  'bad-request': 'Check the model and its settings (`longhaul models`), then resume.',
};

/** The failure that Temporal is told: named by its cause, and retried when the provider says so. */
export function modelFailure(error: ModelError): ApplicationFailure {
  const told = error.retryable ? error.message : [error.message, advice[error.why]].filter(Boolean).join(' ');
  const create = error.retryable ? passingFailure : finalFailure;
  return create(types[error.why], told, { cause: error, retryAfterMs: error.retryAfterMs });
}
