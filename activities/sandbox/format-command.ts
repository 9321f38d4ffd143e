import type { CommandResult } from '../../sandbox/sandbox.ts';

/** Renders a command's result for the model: the output, then how it ended. */
export function formatCommand(result: CommandResult, timeoutSeconds: number): string {
  const output = result.output.text.trimEnd();
  return `${output ? `${output}\n` : ''}[${endOf(result, timeoutSeconds)}]`;
}

function endOf(result: CommandResult, timeoutSeconds: number): string {
  switch (result.outcome) {
    case 'exited':
      return `exit code ${result.exitCode}`;
    case 'timed-out':
      return `stopped with all it started after its ${timeoutSeconds} s were up; for servers use &, for long work a longer timeout_seconds`;
    case 'cancelled':
      return 'stopped by a person before it ended; run it again if you still need it';
    case 'interrupted':
      return 'interrupted: the sandbox was stopped while it ran. Background processes are gone, files are kept. Run it again if you still need it';
  }
}
