import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What is at a path of the working directory; `blocked`: a file or link is where a parent folder should be. */
export type Found = { kind: 'file' } | { kind: 'absent' } | { kind: 'folder' } | { kind: 'blocked'; by: string };

/** Inspects paths (latin1) below a folder without following links in them; caches the parent folders it has seen. */
export function createLook(folder: string): (path: string) => Promise<Found> {
  const parents = new Map<string, Promise<Found>>();

  async function look(path: string): Promise<Found> {
    const slash = path.lastIndexOf('/');
    if (slash !== -1) {
      const parent = path.slice(0, slash);
      const found = await lookOnce(parent);
      if (found.kind === 'file') return { kind: 'blocked', by: parent };
      if (found.kind !== 'folder') return found;
    }
    try {
      return { kind: (await lstat(diskPath(folder, path))).isDirectory() ? 'folder' : 'file' };
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return { kind: 'absent' };
      throw error;
    }
  }

  function lookOnce(parent: string): Promise<Found> {
    const known = parents.get(parent) ?? look(parent);
    parents.set(parent, known);
    return known;
  }

  return look;
}

/** All files below a folder, including links, which are not followed; paths in latin1. */
export async function filesBelow(folder: string, path: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(diskPath(folder, path), { withFileTypes: true, encoding: 'buffer' })) {
    const below = `${path}/${entry.name.toString('latin1')}`;
    if (entry.isDirectory()) files.push(...(await filesBelow(folder, below)));
    else files.push(below);
  }
  return files;
}

/** The path as bytes, since git's names need not be UTF-8. */
export function diskPath(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(join(folder, '/')), Buffer.from(path, 'latin1')]);
}

/** A latin1 path in readable form. */
export function readablePath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}
