import { pruneSandboxes } from '../../sandbox/prune-sandboxes.ts';
import type { SandboxListing } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';

type Needs = Pick<Dependencies, 'sandboxes' | 'isRunning' | 'mcpSandboxes'>;

/** The activity `pruneSandboxes`: removes every sandbox that is not needed any more; returns their names. */
export function createPruneSandboxes(dependencies: Needs) {
  return (): Promise<string[]> => withHeartbeat(() => pruneUnowned(dependencies));
}

/** Removes every sandbox that no running workflow and no MCP server needs any more; returns their names. */
export async function pruneUnowned({ sandboxes, isRunning, mcpSandboxes }: Needs): Promise<string[]> {
  return pruneSandboxes(sandboxes, async (sandbox) =>
    sandbox.owner.purpose === 'mcp' ? mcpSandboxes.has(sandbox.name) : isRunning(workflowOf(sandbox)),
  );
}

/** The sandbox of a session, a chat or a run lives as long as its workflow; one for verification or a made tool as long as its project's or chat's. */
function workflowOf({ owner: { owner, project, purpose } }: SandboxListing): string {
  return purpose === 'verification' || purpose === 'tool' ? project : owner;
}
