import { ApplicationFailure, rootCause, TemporalFailure } from '@temporalio/workflow';
import type { FailureType } from './failure-types.ts';

/** Previews in history stay under 500 characters. */
const previewLength = 480;

export function failure(type: FailureType, message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, type);
}

/** What a person should read of an error, without the wrappers that Temporal puts around it. */
export function explain(error: unknown): string {
  const cause = rootCause(error) ?? String(error);
  return shorten(cause);
}

export function shorten(text: string): string {
  return text.length <= previewLength ? text : `${text.slice(0, previewLength - 1)}…`;
}

/** The type of the failure behind the wrappers that Temporal puts around it; undefined where it has none. */
export function failureType(error: unknown): string | undefined {
  if (error instanceof ApplicationFailure) return error.type ?? undefined;
  return error instanceof TemporalFailure ? failureType(error.cause) : undefined;
}
