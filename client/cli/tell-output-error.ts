import { type ExitCode, exitCodes } from './exit-code.ts';

/** What is left to do where stdout cannot be written to: what the process exits with, and what stderr is told. */
export function tellOutputError({ code, message }: NodeJS.ErrnoException): { exitCode: ExitCode; told: string } {
  if (code === 'EPIPE') return { exitCode: exitCodes.done, told: '' }; // whoever read us, such as `head`, has enough
  return {
    exitCode: exitCodes.failed,
    told: `The output could not be written (${message}), and ends here. What was asked for may be done all the same: look before you ask again.\n`,
  };
}
