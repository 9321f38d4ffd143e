import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import {
  type FileFacts,
  type FolderFacts,
  holdsSecrets,
  isPlainPath,
  leftOut,
  maxTransfer,
  type WorkspaceFile,
} from '../../../domain/chat/files.ts';
import { listUnignored } from '../../../git/working-tree/list-unignored.ts';
import { ClientError } from '../../errors.ts';
import { countOf, formatCount } from '../../format/count.ts';

export interface FolderContent {
  files: WorkspaceFile[];
  facts: FolderFacts;
  /** Files that are too large to be copied or hold secrets, and links that leave the folder. */
  left: string[];
}

interface Found {
  path: string;
  size: number;
  executable: boolean;
  link?: string;
}

/**
 * Reads a folder for its copy: what its repository does not ignore or, without one, all but repositories and what package managers install.
 * @throws {ClientError} `InvalidInput` if it has too much, naming the largest folders.
 */
export async function readFolder(root: string): Promise<FolderContent> {
  const paths = (await listUnignored(root)) ?? (await walk(root, ''));
  const left: string[] = [];
  const found: Found[] = [];
  for (const path of new Set(paths.filter((one) => isPlainPath(one) && !isLeftOut(one)))) {
    const one = await lookAt(root, path);
    if (!one) continue;
    if (holdsSecrets(path) || one.size > maxTransfer.fileBytes || (one.link !== undefined && leaves(path, one.link)))
      left.push(path);
    else found.push(one);
  }
  expectFits(root, found);
  const files: WorkspaceFile[] = [];
  for (const { path, executable, link } of found) {
    const content = link === undefined ? await readFile(join(root, path)) : Buffer.alloc(0);
    files.push({ path, executable, content, ...(link !== undefined && { link }) });
  }
  return { files, facts: Object.fromEntries(files.map((file) => [file.path, factsOf(file)])), left };
}

export function factsOf({ content, executable, link }: Omit<WorkspaceFile, 'path'>): FileFacts {
  if (link !== undefined) return { link };
  return { hash: createHash('sha256').update(content).digest('hex'), executable };
}

/** What is at a path: undefined for nothing, a folder or a device; a path through a link leads to nothing. */
async function lookAt(root: string, path: string): Promise<Found | undefined> {
  const stats = await lstat(join(root, path)).catch(() => undefined);
  if (stats?.isSymbolicLink()) return { path, size: 0, executable: false, link: await readlink(join(root, path)) };
  return stats?.isFile() ? { path, size: stats.size, executable: (stats.mode & 0o100) !== 0 } : undefined;
}

function isLeftOut(path: string): boolean {
  return path.split('/').some((name) => (leftOut as readonly string[]).includes(name));
}

function leaves(path: string, target: string): boolean {
  const resolved = posix.normalize(posix.join(dirname(path), target));
  return posix.isAbsolute(target) || resolved === '..' || resolved.startsWith('../');
}

async function walk(root: string, folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name);
    if (isLeftOut(entry.name)) continue;
    if (entry.isDirectory()) paths.push(...(await walk(root, path)));
    else paths.push(path);
    if (paths.length > maxTransfer.files) break; // too many in any case
  }
  return paths;
}

function expectFits(root: string, found: Found[]): void {
  const bytes = found.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= maxTransfer.folderBytes && found.length <= maxTransfer.files) return;
  const sums = new Map<string, { bytes: number; files: number }>();
  for (const { path, size } of found) {
    const folder = path.includes('/') ? `${path.split('/').slice(0, -1).slice(0, 2).join('/')}/` : './';
    const { bytes: sum = 0, files = 0 } = sums.get(folder) ?? {};
    sums.set(folder, { bytes: sum + size, files: files + 1 });
  }
  const isTooLarge = bytes > maxTransfer.folderBytes;
  const largest = [...sums].sort(([, one], [, other]) =>
    isTooLarge ? other.bytes - one.bytes : other.files - one.files,
  );
  const named = largest
    .slice(0, 3)
    .map(([folder, sum]) => `${folder} (${isTooLarge ? megabytes(sum.bytes) : countOf(sum.files, 'file')})`);
  const has = isTooLarge ? megabytes(bytes) : countOf(found.length, 'file');
  const most = isTooLarge ? megabytes(maxTransfer.folderBytes) : formatCount(maxTransfer.files);
  throw new ClientError(
    'InvalidInput',
    `Expected a folder with at most ${most} to copy, but ${root} has ${has}. The largest: ${named.join(', ')}. Name them in .gitignore, or choose a folder below.`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}
