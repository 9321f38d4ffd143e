import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import { networkOfChats } from './chat-sandbox.ts';
import { logRefusals } from './log-refusals.ts';

/** Finds the sandbox of a user's own agent's run, named after the run, or opens an empty one. */
export async function openRunSandbox(
  { sandboxes, defaultImage, agents }: Pick<Dependencies, 'sandboxes' | 'defaultImage' | 'agents'>,
  runId: string,
): Promise<Sandbox> {
  const found = await sandboxes.find(runId);
  if (found) return found;
  const access = networkOfChats(agents);
  return sandboxes.open({
    name: runId,
    owner: { owner: runId, purpose: 'run' },
    ...{ image: defaultImage, network: access.policy, refusedHosts: access.refused },
  });
}

/** The activity `closeRunSandbox`: removes the sandbox of a run that has ended, with its files. */
export function createCloseRunSandbox(dependencies: Pick<Dependencies, 'database' | 'sandboxes'>) {
  return async ({ runId }: { runId: string }): Promise<void> => {
    await logRefusals(dependencies, { kind: 'run', id: runId }, runId);
    await dependencies.sandboxes.close(runId);
  };
}
