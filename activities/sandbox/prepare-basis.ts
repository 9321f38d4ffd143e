import type { StepResult } from '../../domain/project/settings.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { runHarnessCommand } from './harness-command.ts';

/** Installing dependencies may take minutes on a slow network. */
const setUpTimeoutMs = 10 * 60 * 1000;
const smokeTimeoutMs = 2 * 60 * 1000;

/** The script's path in the workspace. */
export const setUpScript = 'init.sh';
const setUpDescription = 'Set-up script';

/** A repository may have its files checked out with CRLF, as for Windows: bash would take the carriage returns for parts of the commands. */
const setUpCommand = [
  '[ -f init.sh ] || exit 0',
  "grep -q $'\\r$' init.sh || exec bash ./init.sh",
  `exec bash -c "$(tr -d '\\r' <init.sh)" ./init.sh`,
].join('\n');

/** Runs the project's set-up script, with network access; does nothing if the project has none. */
export async function setUpSandbox(sandbox: Sandbox, signals: ActivitySignals): Promise<StepResult> {
  const request = { id: 'set-up', description: setUpDescription, command: setUpCommand, timeoutMs: setUpTimeoutMs };
  return { ...(await runHarnessCommand(sandbox, request, signals)), command: 'bash ./init.sh' };
}

export function isSetUp(step: StepResult): boolean {
  return step.description === setUpDescription;
}

export async function runSmokeCheck(sandbox: Sandbox, command: string, signals: ActivitySignals): Promise<StepResult> {
  return runHarnessCommand(
    sandbox,
    { id: 'smoke-check', description: 'Smoke check', command, timeoutMs: smokeTimeoutMs },
    signals,
  );
}
