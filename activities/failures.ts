import { ApplicationFailure } from '@temporalio/common';
import type { FailureType } from '../domain/failure-types.ts';

interface FailureOptions {
  cause?: unknown;
  /** Milliseconds; replaces the retry policy's own pause. */
  retryAfterMs?: number | undefined;
}

/** A failure that another attempt cannot fix. */
export function terminalFailure(type: FailureType, message: string, options: FailureOptions = {}): ApplicationFailure {
  return create(type, message, true, options);
}

/** A failure that may not occur again at the next attempt. */
export function retryableFailure(type: FailureType, message: string, options: FailureOptions = {}): ApplicationFailure {
  return create(type, message, false, options);
}

function create(
  type: FailureType,
  message: string,
  nonRetryable: boolean,
  options: FailureOptions,
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable,
    ...(options.cause instanceof Error && { cause: options.cause }),
    ...(options.retryAfterMs !== undefined && { nextRetryDelay: options.retryAfterMs }),
  });
}
