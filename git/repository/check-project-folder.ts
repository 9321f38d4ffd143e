import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gitErrors } from '../error-messages.ts';
import { exists } from '../process/exists.ts';

/** What a folder offers a project to start from. */
export type ProjectFolderKind = 'missing' | 'empty' | 'files' | 'repository';

/**
 * Checks whether a folder can become a project's; writes nothing.
 * @throws {GitError} FolderIsFile, FolderNotWritable or BareRepository.
 * @throws {GitError} FolderNotEmpty for files without git, unless `adopt`.
 */
export async function checkProjectFolder(
  folder: string,
  options: { adopt?: boolean } = {},
): Promise<ProjectFolderKind> {
  const path = resolve(folder);
  const existing = await nearestExisting(path);
  if (!(await stat(existing)).isDirectory()) throw gitErrors.folderIsFile(path, existing);
  await requireWritable(path, existing);
  if (existing !== path) return 'missing';
  const names = await readdir(path);
  if (await hasRepository(path)) return 'repository';
  // An interrupted `git init` leaves a `.git` without HEAD.
  const files = names.filter((name) => name !== '.git');
  if (files.length === 0) return 'empty';
  if (['HEAD', 'objects', 'refs'].every((name) => names.includes(name))) throw gitErrors.bareRepository(path);
  if (!options.adopt) throw gitErrors.folderNotEmpty(path, files.slice(0, 3));
  return 'files';
}

/** The folder itself, or the nearest above it that exists. */
export async function nearestExisting(path: string): Promise<string> {
  for (let candidate = path; ; candidate = dirname(candidate)) {
    if (await exists(candidate)) return candidate;
  }
}

async function requireWritable(folder: string, existing: string): Promise<void> {
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw gitErrors.folderNotWritable(folder, { cause: error });
  }
}

async function hasRepository(folder: string): Promise<boolean> {
  const git = join(folder, '.git');
  if (!(await exists(git))) return false;
  return (await stat(git)).isFile() || (await exists(join(git, 'HEAD')));
}
