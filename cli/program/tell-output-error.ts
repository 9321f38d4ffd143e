import { type ExitCode, exitCodes } from './exit-code.ts';

/** What to do if stdout cannot be written to: the exit code for the process, and a message for stderr. */
export function tellOutputError({ code, message }: NodeJS.ErrnoException): { exitCode: ExitCode; told: string } {
  if (code === 'EPIPE') return { exitCode: exitCodes.done, told: '' }; // the reader, such as `head`, has read enough
  return {
    exitCode: exitCodes.failed,
    told: `The output could not be written (${message}), and ends here. What was asked for may be done all the same: look before you ask again.\n`,
  };
}
