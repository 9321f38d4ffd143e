import { printable } from '../render/printable.ts';
import type { CommandContext } from './command-context.ts';
import { describeDeniedPath } from './denied-path.ts';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-code.ts';
import type { Interrupt } from './interrupt.ts';

/** Generic error names: such errors are defects and get a stack trace. */
const unnamed = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'AggregateError',
  'AssertionError',
]);

/**
 * Describes an error to a person: just the message if the error has a specific name, otherwise everything known about it. What a program or a model
 * wrote may be quoted in it, so it is made safe to print.
 */
export function describeError(error: unknown): string {
  return printable(describe(error));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!unnamed.has(error.name)) return error.message;
  const denied = describeDeniedPath(error);
  if (denied) return denied;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return error.message; // a system error, whose message is enough
  const causes: string[] = [];
  for (let { cause } = error; cause instanceof Error; cause = cause.cause) causes.push(`  because of ${cause.message}`);
  return [
    error.stack ?? error.message,
    ...causes,
    'This is a bug in Longhaul or in a library it uses. The command stopped here.',
  ].join('\n');
}

/** Reports an error, unless Ctrl-C caused it; returns the exit code. */
export function reportFailure(context: CommandContext, interrupt: Interrupt, error: unknown): ExitCode {
  const code = exitCodeOf(error);
  if (interrupt.happened && code !== exitCodes.interrupted) return exitCodes.interrupted;
  context.note(describeError(error));
  return code;
}

/** What to do if stdout cannot be written to: the exit code for the process, and a message for stderr. */
export function describeOutputError({ code, message }: NodeJS.ErrnoException): { exitCode: ExitCode; message: string } {
  if (code === 'EPIPE') return { exitCode: exitCodes.done, message: '' }; // the reader, such as `head`, has read enough
  return {
    exitCode: exitCodes.failed,
    message: `The output could not be written (${message}). The command may still have done its work: check before you repeat it.\n`,
  };
}
