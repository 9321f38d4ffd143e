import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes what killed set-ups left; the caller holds the lock, so no other set-up is at work here. */
export async function removePartials(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.endsWith('.partial'));
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
