import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  rootCause,
  TemporalFailure,
} from '@temporalio/workflow';
import type { FailureType } from '../domain/failure-types.ts';
import { shorten } from '../domain/storable-text.ts';

/** Previews in history stay under 500 characters. */
const previewLength = 480;

export function failure(type: FailureType, message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, type);
}

/** What a person should read of an error: our own message without Temporal's wrappers. */
export function explain(error: unknown): string {
  return short(ownFailure(error)?.message ?? rootCause(error) ?? String(error));
}

/** As much of a reason as history keeps. */
export function short(reason: string): string {
  return shorten(reason, previewLength);
}

/** The type of the failure inside Temporal's wrappers; undefined if it has none. */
export function failureType(error: unknown): string | undefined {
  return ownFailure(error)?.type ?? undefined;
}

/** Throws our own failure instead of Temporal's wrapper, whose "Activity task failed" is all that the Temporal UI would show of a refused update. */
export async function unwrapFailure<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    throw ownFailure(error) ?? error;
  }
}

/** The failure that an activity or workflow threw, not its cause. */
function ownFailure(error: unknown): ApplicationFailure | undefined {
  if (error instanceof ApplicationFailure) return error;
  return error instanceof TemporalFailure ? ownFailure(error.cause) : undefined;
}

/** Whether the work in `scope` was cancelled; if its worker was dead, it ends with a timeout instead. */
export function wasCancelled(error: unknown, scope: CancellationScope = CancellationScope.current()): boolean {
  return isCancellation(error) || scope.consideredCancelled;
}
