import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { pruneSandboxes } from '../sandbox/prune-sandboxes.ts';
import type { Sandboxes, SandboxOwner } from '../sandbox/sandbox.ts';

/** Removes every sandbox whose project has no workflow at work any more; returns the names of what it removed. */
export async function sweepSandboxes(sandboxes: Sandboxes, client: Client): Promise<string[]> {
  return pruneSandboxes(sandboxes, (owner) => isLive(owner, client));
}

/** The sandbox of a session or chat lives with its workflow; those of verification end with their project. */
async function isLive({ owner, project, purpose }: SandboxOwner, client: Client): Promise<boolean> {
  const workflowId = purpose === 'verification' ? project : owner;
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
