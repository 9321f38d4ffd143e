import type { StepResult } from '../../db/shapes.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { runHarnessCommand } from './harness-command.ts';

/** Installing dependencies may take minutes on a slow network. */
const setUpTimeoutMs = 10 * 60 * 1000;
const smokeTimeoutMs = 2 * 60 * 1000;

/** Runs the project's set-up script, with network access; does nothing if the project has none. */
export async function setUpSandbox(sandbox: Sandbox, signals: ActivitySignals): Promise<StepResult> {
  const command = 'if [ -f init.sh ]; then bash ./init.sh; fi';
  return runHarnessCommand(
    sandbox,
    { id: 'set-up', description: 'Set-up script', command, timeoutMs: setUpTimeoutMs },
    signals,
  );
}

export async function runSmokeCheck(sandbox: Sandbox, command: string, signals: ActivitySignals): Promise<StepResult> {
  return runHarnessCommand(
    sandbox,
    { id: 'smoke-check', description: 'Smoke check', command, timeoutMs: smokeTimeoutMs },
    signals,
  );
}
