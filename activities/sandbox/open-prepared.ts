import type { StepResult } from '../../db/shapes.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { type FillRequest, fillSandbox } from './fill-sandbox.ts';
import { setUpSandbox } from './prepare-basis.ts';

export interface PreparedRequest extends FillRequest {
  /** Run the set-up script. */
  prepare: boolean;
}

/** Opens the sandbox of an agent: filled at a commit, set up with network, and then without where the project has none. Again it finds that done. */
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
