import type { Sandboxes } from '../../../sandbox/sandbox.ts';

/** Removes all that a stack has left on the container host, chats' files included. */
export async function removeSandboxes(sandboxes: Sandboxes): Promise<void> {
  for (const { name } of await sandboxes.list()) await sandboxes.close(name);
  for (const { name } of await sandboxes.listKept()) await sandboxes.close(name);
  await sandboxes.closeGateways('all');
}
