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
  authentication: 'Check its key (`longhaul models`), then {next}.',
  'quota-spent': 'Raise the quota or name another model, then {next}.',
  'bad-request': 'Check the model and its settings (`longhaul models`), then {next}.',
};

/** The failure that Temporal is told: named by its cause, and retried when the provider says so. */
export function modelFailure(error: ModelError, { chatId }: { chatId?: string | undefined } = {}): ApplicationFailure {
  const next = advice[error.why]?.replace('{next}', chatId === undefined ? 'resume' : 'ask again');
  const told = error.retryable ? error.message : [error.message, next].filter(Boolean).join(' ');
  const create = error.retryable ? passingFailure : finalFailure;
  return create(types[error.why], told, { cause: error, retryAfterMs: error.retryAfterMs });
}
