import { lstat, readFile, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileFacts, type FolderFacts, isPlainPath, type WorkspaceFile } from '../../../domain/chat/files.ts';
import { type FolderChange, isSame } from '../../../domain/chat/folder-changes.ts';
import { type AskedFile, judgeLanding } from '../../../domain/permissions/judge-landing.ts';
import type { Rule } from '../../../domain/permissions/rule.ts';
import { factsOf } from './read-folder.ts';

/** What a change does to a person's folder. */
export interface ApplyPlan {
  /** Changes to carry out; those that the folder has already are left out. */
  changes: FolderChange[];
  /** Changes that the folder has already, such as those of an interrupted `apply`. */
  done: FolderChange[];
  /** Files among them that run by themselves, with the rule that asks. */
  asked: AskedFile[];
  /** Paths that are not what they were when the copy was made. */
  conflicts: string[];
  /** Why nothing of it can be written. */
  refused: string | undefined;
}

/** Judges changes against the folder as it is now; writes nothing. */
export async function planApply(
  root: string,
  {
    changes,
    base,
    now,
    rules,
  }: { changes: FolderChange[]; base: FolderFacts; now: FolderFacts; rules: readonly Rule[] },
): Promise<ApplyPlan> {
  const odd = changes.find(({ path }) => !isPlainPath(path));
  if (odd) {
    const refused = `${JSON.stringify(odd.path)} cannot be written: the path has control characters, leads out of the folder, or leads into a repository.`;
    return { changes: [], done: [], asked: [], conflicts: [], refused };
  }
  const wanted: FolderChange[] = [];
  const done: FolderChange[] = [];
  const conflicts: string[] = [];
  for (const change of changes) {
    const there = await lookAt(root, change.path);
    if (there === 'blocked') conflicts.push(change.path);
    else if (isSame(there, change.after)) done.push(change);
    else if (isSame(there, change.before)) wanted.push(change);
    else conflicts.push(change.path);
  }
  const links = Object.entries(base).flatMap(([path, facts]) => ('link' in facts ? [[path, facts.link] as const] : []));
  const verdict = judgeLanding(rules, {
    changed: wanted.flatMap(({ path, after }) => (after ? [path] : [])),
    links,
    files: [...new Set([...Object.keys(base), ...Object.keys(now)])],
  });
  const isRefused = 'refused' in verdict;
  return {
    changes: wanted,
    done,
    asked: isRefused ? [] : verdict.asked,
    conflicts,
    refused: isRefused ? verdict.refused : undefined,
  };
}

/** What is at a path of the folder; undefined for nothing, `blocked` by something that is no file, or a link on the way. */
export async function lookAt(root: string, path: string): Promise<FileFacts | undefined | 'blocked'> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const stats = await lookOnDisk(join(root, folder));
    if (stats && !stats.isDirectory()) return 'blocked';
  }
  const stats = await lookOnDisk(join(root, path));
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) return { link: await readlink(join(root, path)) };
  if (!stats.isFile()) return 'blocked';
  const content = await readFile(join(root, path));
  return factsOf({ content, executable: (stats.mode & 0o100) !== 0 });
}

async function lookOnDisk(place: string) {
  try {
    return await lstat(place);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Files by path. */
export type Contents = ReadonlyMap<string, WorkspaceFile>;
