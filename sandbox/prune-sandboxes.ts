import type { Sandboxes, SandboxOwner } from './sandbox.ts';

/**
 * Removes every sandbox whose owner is no longer live, and what interrupted closes left behind; returns their names. The files of a chat stay.
 */
export async function pruneSandboxes(
  sandboxes: Sandboxes,
  isLive: (owner: SandboxOwner) => Promise<boolean>,
): Promise<string[]> {
  const closed: string[] = [];
  for (const { name, owner } of await sandboxes.list()) {
    if (await isLive(owner)) continue;
    await (owner.purpose === 'chat' ? sandboxes.release(name) : sandboxes.close(name));
    closed.push(name);
  }
  await sandboxes.sweepVolumes();
  return closed;
}
