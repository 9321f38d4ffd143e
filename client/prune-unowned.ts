import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { validationOwner } from '../sandbox/made-tools/tool-sandbox.ts';
import { pruneSandboxes } from '../sandbox/prune-sandboxes.ts';
import type { Sandboxes, SandboxListing } from '../sandbox/sandbox.ts';

/**
 * Milliseconds. A sandbox in which a person validates a made tool is left alone this long: its tests may take `tools.timeoutSeconds`, at most an
 * hour.
 */
const longestValidation = 2 * 60 * 60_000;

/** Removes every sandbox that no running workflow needs any more; returns their names. */
export async function pruneUnowned(sandboxes: Sandboxes, client: Client): Promise<string[]> {
  return pruneSandboxes(sandboxes, (sandbox) => isLive(sandbox, client));
}

/** The sandbox of a session or chat lives as long as its workflow; one for verification or a made tool as long as its project's or chat's. */
async function isLive(
  { owner: { owner, project, purpose }, createdAt }: SandboxListing,
  client: Client,
): Promise<boolean> {
  if (project === validationOwner) return Date.now() - createdAt.getTime() < longestValidation;
  const workflowId = purpose === 'verification' || purpose === 'tool' ? project : owner;
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
