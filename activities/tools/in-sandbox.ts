import { isSandboxError } from '../../sandbox/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Dependencies } from '../dependencies.ts';
import { createOwners } from '../run/owners/create-owners.ts';
import type { ToolContext, ToolResult } from './tool.ts';

/** Does the work of a tool in the sandbox of its run; tells the agent instead if that was lost, or a file cannot be used. */
export function createInSandbox(dependencies: Dependencies) {
  const owners = createOwners(dependencies);
  return async (context: ToolContext, work: (sandbox: Sandbox) => Promise<ToolResult>): Promise<ToolResult> => {
    const owner = owners[context.run.owner.kind];
    if (owner.sandboxOf(context.run) === undefined)
      return { failed: true, text: 'There is no workspace: the project is empty.' };
    const { sandbox, lost } = await owner.openSandbox(context);
    if (lost) return { failed: true, text: lost, alsoStore: { events: [reopened(sandbox.name)] } };
    try {
      return await work(sandbox);
    } catch (error) {
      if (isSandboxError(error, 'FileRefused')) return { failed: true, text: error.message };
      throw error;
    }
  };
}

function reopened(sandbox: string) {
  return { type: 'sandbox.opened' as const, sandbox, origin: 'lost and opened again' };
}
