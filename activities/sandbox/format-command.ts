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
      return `stopped with all its processes after its timeout of ${timeoutSeconds} s; use & for servers and a longer timeout_seconds for long work`;
    case 'cancelled':
      return 'stopped by a person; run it again if you still need it';
    case 'interrupted':
      return 'interrupted: the sandbox stopped while it ran. Background processes are gone, files are kept. Run it again if you still need it';
  }
}
