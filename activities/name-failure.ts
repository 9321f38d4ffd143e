import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { DrizzleQueryError } from 'drizzle-orm';
import { findOutage, findRefusal } from '../db/connection/query-errors.ts';
import { LonghaulError } from '../domain/longhaul-error.ts';
import { ModelError } from '../domain/model/model-error.ts';
import { preview } from '../domain/storable-text.ts';
import { retryableFailure, terminalFailure } from './failures.ts';

/** Gives an error that an activity throws its failure type. It stays unchanged if it already has one, or if none fits; then it is retried. */
export function nameFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  // An embedding failed, for whatever purpose; failures of other models are named where those are asked.
  if (error instanceof ModelError) return retryableFailure(error.code, error.message);
  if (error instanceof LonghaulError) {
    const fail = error.retryable ? retryableFailure : terminalFailure;
    return fail(error.failureType, error.message, { cause: error });
  }
  return nameQueryFailure(error) ?? error;
}

/** Keeps only the driver's error as the cause: drizzle's contains the query's parameters, which must not be in the history. */
function nameQueryFailure(error: unknown): ApplicationFailure | undefined {
  const outage = findOutage(error);
  if (outage) {
    const message = `Could not reach Postgres (${outage.message || outage.code}).`;
    return retryableFailure('DatabaseUnavailable', message, { cause: outage });
  }
  const refusal = findRefusal(error);
  if (refusal)
    return terminalFailure('InvalidInput', describeQueryFailure('Postgres refused a value', refusal), {
      cause: refusal,
    });
  if (!(error instanceof DrizzleQueryError) || !error.cause) return undefined;
  return retryableFailure('Internal', describeQueryFailure('A query failed', error.cause), { cause: error.cause });
}

function describeQueryFailure(what: string, { message }: Error): string {
  return `${what}: ${preview(message, 300)}.`;
}
