import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type FolderFacts, givenFolder, leftOut, type WorkspaceFile } from '../../domain/chat/files.ts';
import { SandboxError } from '../../sandbox/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

type CopiedFiles = Pick<Sandbox, 'placeFiles' | 'takeFiles' | 'lookAtFiles'>;

/** Files that are copied into and out of a workspace on this machine; `mark` is the file that says which copy it holds. */
export function createCopiedFiles(workspace: string, mark: string): CopiedFiles {
  return {
    async placeFiles(files, copy) {
      if (copy !== undefined) await rm(mark, { force: true });
      await placeFiles(workspace, files, copy !== undefined);
      if (copy !== undefined) await writeFile(mark, copy);
    },
    takeFiles: (paths, maxBytes) => takeFiles(workspace, paths, maxBytes),
    lookAtFiles: async (known, maxFiles) => ({
      copy: await readFile(mark, 'utf8').catch(() => undefined),
      files: await lookAtFiles(workspace, known, maxFiles),
    }),
  };
}

/** `empty` empties the workspace first. */
async function placeFiles(workspace: string, files: WorkspaceFile[], empty: boolean): Promise<void> {
  for (const name of empty ? await readdir(workspace) : [])
    if (name !== givenFolder) await rm(join(workspace, name), { recursive: true });
  for (const { path, executable, content, link } of files) {
    const place = join(workspace, path);
    if ((await lstat(place).catch(() => undefined))?.isDirectory()) throw refused(`${path}: a folder is in the way`);
    await mkdir(dirname(place), { recursive: true });
    await rm(place, { force: true });
    if (link !== undefined) await symlink(link, place);
    else await writeFile(place, content, { mode: executable ? 0o755 : 0o644 });
    if (link === undefined) await chmod(place, executable ? 0o755 : 0o644);
  }
}

async function takeFiles(workspace: string, paths: string[], maxBytes: number): Promise<WorkspaceFile[]> {
  const files: WorkspaceFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    const place = join(workspace, path);
    const found = await lstat(place).catch(() => undefined);
    if (!found) throw refused(`${path}: there is no such file`);
    if (!found.isFile()) throw refused(`${path}: it is ${found.isDirectory() ? 'a folder' : 'a link'}`);
    bytes += found.size;
    files.push({ path, executable: (found.mode & 0o100) !== 0, content: await readFile(place) });
  }
  if (bytes > maxBytes) throw refused(`The files have ${bytes} bytes, more than ${maxBytes}`);
  return files;
}

/** A .gitignore has no effect here. */
async function lookAtFiles(workspace: string, known: string[], maxFiles: number): Promise<FolderFacts> {
  const all = await readdir(workspace, { recursive: true, withFileTypes: true });
  const others = all
    .filter((entry) => entry.isFile())
    .map((entry) => relative(workspace, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split('/').some((name) => (leftOut as readonly string[]).includes(name)));
  const paths = new Set([...known, ...others]);
  if (paths.size > maxFiles) throw refused(`The workspace has ${paths.size} files, more than ${maxFiles}`);
  const files: FolderFacts = {};
  for (const path of paths) {
    const place = join(workspace, path);
    const found = await lstat(place).catch(() => undefined);
    if (found?.isSymbolicLink()) files[path] = { link: await readlink(place) };
    if (!found?.isFile()) continue;
    const hash = createHash('sha256')
      .update(await readFile(place))
      .digest('hex');
    files[path] = { hash, executable: (found.mode & 0o100) !== 0 };
  }
  return files;
}

function refused(why: string): SandboxError {
  return new SandboxError('FileRefused', `The sandbox refused: ${why}.`);
}
