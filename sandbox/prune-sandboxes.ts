import type { Sandboxes, SandboxListing } from './sandbox.ts';

/**
 * Removes every sandbox whose owner is no longer live, and what interrupted closes left behind; returns the names of those sandboxes. A chat's files
 * stay.
 */
export async function pruneSandboxes(
  sandboxes: Sandboxes,
  isLive: (sandbox: SandboxListing) => Promise<boolean>,
): Promise<string[]> {
  const closed: string[] = [];
  for (const sandbox of await sandboxes.list()) {
    if (await isLive(sandbox)) continue;
    const { name, owner } = sandbox;
    await (owner.purpose === 'chat' ? sandboxes.release(name) : sandboxes.close(name));
    closed.push(name);
  }
  await sandboxes.pruneVolumes();
  await sandboxes.closeGateways('unused');
  return closed;
}
