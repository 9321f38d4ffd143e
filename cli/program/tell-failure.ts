import type { CommandContext } from './command-context.ts';
import { describeError } from './describe-error.ts';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-code.ts';
import type { Interrupt } from './listen-for-interrupt.ts';

/** Says what went wrong, unless it is only what Ctrl-C stopped; returns the exit code. */
export function tellFailure(context: CommandContext, interrupt: Interrupt, error: unknown): ExitCode {
  const code = exitCodeOf(error);
  if (interrupt.happened && code !== exitCodes.interrupted) return exitCodes.interrupted;
  context.note(describeError(error));
  return code;
}
