import { LonghaulError } from '../../domain/longhaul-error.ts';

/** Exit codes of `longhaul`. */
export const exitCodes = { done: 0, failed: 1, badInput: 2, waits: 3, interrupted: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Errors caused by bad input rather than by a failure; by name, so that their modules need not be loaded. */
export const badInputErrors: ReadonlySet<string> = new Set([
  'InvalidInputError',
  'ConfigurationError',
  'PromptError',
  'MadeToolRefusedError',
  'AgentFileError',
]);

/** The same for failures that a worker reports. */
const badInputFailures = new Set(['UnknownFeature', 'UnknownCheckpoint', 'FolderInUse', 'FolderUnusable']);

export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof Error)) return exitCodes.failed;
  if (error.name === 'InterruptedError') return exitCodes.interrupted;
  if (error instanceof LonghaulError)
    return error.kind === 'input' || error.kind === 'conflict' ? exitCodes.badInput : exitCodes.failed;
  const failure = 'failureType' in error && typeof error.failureType === 'string' ? error.failureType : '';
  return badInputErrors.has(error.name) || badInputFailures.has(failure) ? exitCodes.badInput : exitCodes.failed;
}
