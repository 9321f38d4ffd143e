import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What is at a path of the working directory; `blocked`: a file or link is where a parent folder should be. */
export type Found = { kind: 'file' } | { kind: 'absent' } | { kind: 'folder' } | { kind: 'blocked'; by: string };

/** The file system as far as a look needs it. */
export interface Disk {
  lstat(path: Buffer): Promise<{ isDirectory(): boolean }>;
  names(folder: Buffer): Promise<Buffer[]>;
}

const realDisk: Disk = { lstat, names: (folder) => readdir(folder, 'buffer') };

/**
 * Inspects paths (latin1) below a folder without following links in them; caches the parent folders it has seen. Given paths that differ only in case
 * are told apart by the names in their folders, since a case-insensitive disk, such as a Mac's, finds a file by all of them.
 */
export function createLook(folder: string, paths: string[], disk = realDisk): (path: string) => Promise<Found> {
  const parents = new Map<string, Promise<Found>>();
  const names = new Map<string, Promise<Set<string>>>();
  const twins = findTwins(paths);

  async function look(path: string): Promise<Found> {
    const parent = parentOf(path);
    if (parent !== '') {
      const found = await lookOnce(parent);
      if (found.kind === 'file') return { kind: 'blocked', by: parent };
      if (found.kind !== 'folder') return found;
    }
    try {
      const kind = (await disk.lstat(diskPath(folder, path))).isDirectory() ? 'folder' : 'file';
      if (!twins.has(foldCase(path))) return { kind };
      return {
        kind: (await namesIn(parent)).has(composed(path.slice(parent === '' ? 0 : parent.length + 1)))
          ? kind
          : 'absent',
      };
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

  function namesIn(parent: string): Promise<Set<string>> {
    const known = names.get(parent) ?? readNames(parent);
    names.set(parent, known);
    return known;
  }

  async function readNames(parent: string): Promise<Set<string>> {
    const found = await disk.names(diskPath(folder, parent));
    return new Set(found.map((name) => composed(name.toString('latin1'))));
  }

  return look;
}

/** A path (latin1) as a case-insensitive disk compares it. */
export function foldCase(path: string): string {
  return composed(path).toLowerCase();
}

/** The folded forms of those paths and parent folders that are spelled in more than one way. */
function findTwins(paths: string[]): Set<string> {
  const spellings = new Map<string, string>();
  const twins = new Set<string>();
  for (const path of paths) {
    for (let part = path; part !== ''; part = parentOf(part)) {
      const folded = foldCase(part);
      const known = spellings.get(folded);
      if (known === part) break; // and its parents with it
      if (known === undefined) spellings.set(folded, part);
      else twins.add(folded);
    }
  }
  return twins;
}

/** The folder of a path (latin1); empty for the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** With accents as git keeps them; a Mac's disk may store them as separate characters. */
function composed(path: string): string {
  return readablePath(path).normalize('NFC');
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
