import type { StepResult } from '../../domain/project/settings.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { type FillRequest, fillSandbox } from './fill-sandbox.ts';
import { setUpSandbox } from './prepare-basis.ts';

export interface PreparedRequest extends FillRequest {
  /** Run the set-up script. */
  prepare: boolean;
}

/**
 * Opens an agent's sandbox: filled at a commit, set up with network access, then disconnected if the project has none. A repetition finds this done.
 */
export async function openPrepared(
  dependencies: Dependencies,
  request: PreparedRequest,
  signals: ActivitySignals,
): Promise<{ sandbox: Sandbox; setUp?: StepResult }> {
  const sandbox = await fillSandbox(dependencies, request);
  const setUp = request.prepare ? await setUpSandbox(sandbox, signals) : undefined;
  if (!request.project.settings.network) await sandbox.disconnect();
  return { sandbox, ...(setUp && { setUp }) };
}
