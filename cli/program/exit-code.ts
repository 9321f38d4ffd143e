import { LonghaulError } from '../../domain/longhaul-error.ts';
import { describeDeniedPath } from './denied-path.ts';

/** Exit codes of `longhaul`. */
export const exitCodes = { done: 0, failed: 1, badInput: 2, waits: 3, interrupted: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code for an error: invalid input and forbidden requests are told apart from failures. */
export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof Error)) return exitCodes.failed;
  if (error.name === 'InterruptedError') return exitCodes.interrupted;
  const isInput = error instanceof LonghaulError && (error.kind === 'input' || error.kind === 'conflict');
  return isInput || describeDeniedPath(error) ? exitCodes.badInput : exitCodes.failed;
}
