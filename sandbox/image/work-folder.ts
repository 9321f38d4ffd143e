import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

const prefix = 'longhaul-base-';

/** Creates a folder, named after this process, to install a system into; removes those of processes that no longer exist. */
export async function makeWorkFolder(parent: string = tmpdir()): Promise<string> {
  for (const name of await readdir(parent)) {
    const owner = new RegExp(`^${prefix}(\\d+)$`).exec(name)?.[1];
    if (owner !== undefined && Number(owner) !== process.pid && !existsSync(`/proc/${owner}`))
      await removeWorkFolder(join(parent, name));
  }
  const folder = join(parent, `${prefix}${process.pid}`);
  await removeWorkFolder(folder);
  await mkdir(folder);
  await chmod(folder, 0o755);
  return folder;
}

/** Unmounts everything below such a folder (an interrupted debootstrap leaves /proc and /sys mounted), then removes it. */
export async function removeWorkFolder(folder: string): Promise<void> {
  for (const mount of (await mountsBelow(folder)).reverse()) await execa('umount', [mount]);
  const left = await mountsBelow(folder);
  if (left.length > 0)
    throw new Error(
      `Expected nothing mounted below ${folder} before removing it, found ${left.join(', ')}. Unmount it by hand.`,
    );
  await rm(folder, { recursive: true, force: true });
}

async function mountsBelow(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const table = await readFile('/proc/self/mounts', 'utf8');
  return table
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((mount) => mount.startsWith(`${folder}/`));
}
