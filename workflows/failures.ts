import { ApplicationFailure, rootCause } from '@temporalio/workflow';
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
