import { open, stat } from 'node:fs/promises';
import type { Git } from '../process/run-git.ts';
import { captureFiles, setEntries } from '../snapshot/capture-files.ts';
import { compareTrees, gitlinkMode, type TreeChange, type TreeEntry } from '../tree/compare-trees.ts';
import { createLook, diskPath, type Found, filesBelow, readablePath } from '../working-tree/look-at-files.ts';
import type { WorkingTree } from '../working-tree/working-tree.ts';

/** How to update the working directory from one tree to another, given what it really contains. */
export interface UpdatePlan {
  to: string;
  /** Paths that hold the old content, the new one, or a part of the new one: these may be overwritten. */
  ours: Array<{ change: TreeChange; found: TreeEntry | undefined }>;
  /** Changed paths where a person has put something else, which stays as a change on top of the new tree. */
  theirs: TreeChange[];
  /** Paths that can't be written without destroying untracked files. */
  inTheWay: string[];
  /** How to unmark each path that a person told git not to look at: git would overwrite an edit there, or refuse to write. */
  held: string[];
}

/**
 * Inspects every path that differs. Does not rely on the index, so that it can recover from an update that was killed at any point. Records what it
 * found in the tree's copy of the index.
 */
export async function planUpdate(tree: WorkingTree, from: string, to: string): Promise<UpdatePlan> {
  const { git } = tree;
  const changes = (await compareTrees(git, from, to)).filter((change) => !isGitlink(change));
  const paths = changes.map(({ path }) => path);
  const leaving = new Set(changes.flatMap((change) => (change.before ? [change.path] : [])));
  const plan: UpdatePlan = { to, ours: [], theirs: [], inTheWay: [], held: [] };
  const flags = await readFlags(git, new Set(paths));
  await captureFiles(git, paths);
  const captured = await readIndex(git);
  const look = createLook(git.folder, paths);
  for (const change of changes) {
    const found = captured.get(change.path);
    const flag = flags.get(change.path);
    if (flag) {
      plan.held.push(describeFlag(change.path, flag));
    } else if (found === undefined) {
      if (change.after)
        plan.inTheWay.push(...(await obstacles(git.folder, change.path, await look(change.path), leaving)));
      plan.ours.push({ change, found });
    } else if (same(found, change.before) || same(found, change.after) || (await isPiece(git, change, found))) {
      plan.ours.push({ change, found });
    } else {
      plan.theirs.push(change);
    }
  }
  return plan;
}

/** What a person set on a file with `git update-index`. */
type Flag = 'skip-worktree' | 'assume-unchanged';

/** The flags of those paths (latin1) that have one. */
async function readFlags(git: Git, paths: Set<string>): Promise<Map<string, Flag>> {
  const flags = new Map<string, Flag>();
  for (const line of await git.fields(['ls-files', '-v', '-z'], { encoding: 'latin1' })) {
    const [tag = '', path] = [line[0], line.slice(2)];
    if (!paths.has(path)) continue;
    if (tag.toUpperCase() === 'S') flags.set(path, 'skip-worktree');
    else if (tag === 'h') flags.set(path, 'assume-unchanged');
  }
  return flags;
}

function describeFlag(path: string, flag: Flag): string {
  const file = readablePath(path);
  return `${file} is marked ${flag} ("git update-index --no-${flag} ${file}" removes the mark)`;
}

/** Carries out a plan: git writes the files, then the new index is put in place. Git refuses files that have changed since the plan. */
export async function applyUpdate(tree: WorkingTree, plan: UpdatePlan): Promise<void> {
  const scratch = await tree.scratch();
  await scratch.run(['read-tree', plan.to]);
  await setEntries(
    scratch,
    plan.ours.map(({ change, found }) => ({ path: change.path, entry: found })),
  );
  const present = await scratch.text(['write-tree']);
  await setEntries(
    tree.git,
    plan.theirs.map(({ path, after }) => ({ path, entry: after })),
  );
  await tree.git.run(['read-tree', '-m', '-u', '--no-recurse-submodules', present, plan.to]);
  await tree.install();
}

/** Untracked files that writing a path would destroy, although no file is at the path itself. */
async function obstacles(folder: string, path: string, found: Found, leaving: Set<string>): Promise<string[]> {
  if (found.kind === 'absent' || found.kind === 'file') return [];
  const files = found.kind === 'folder' ? await filesBelow(folder, path) : [found.by];
  return files.filter((file) => !leaving.has(file)).map(readablePath);
}

/** Whether the file is a prefix of the new content: git was killed while writing it. */
async function isPiece(git: Git, { path, after }: TreeChange, found: TreeEntry): Promise<boolean> {
  if (after === undefined || after.mode === '120000' || found.mode === '120000') return false;
  const size = Number(await git.text(['cat-file', '-s', after.object]));
  const file = diskPath(git.folder, path);
  if ((await stat(file)).size >= size) return false;
  const content = await open(file);
  try {
    const wanted = (await git.run(['cat-file', 'blob', after.object])).stdout;
    const piece = await content.readFile();
    return wanted.subarray(0, piece.length).equals(piece);
  } finally {
    await content.close();
  }
}

async function readIndex(git: Git): Promise<Map<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>();
  for (const line of await git.fields(['ls-files', '--stage', '-z'], { encoding: 'latin1' })) {
    const tab = line.indexOf('\t');
    const [mode = '', object = ''] = line.slice(0, tab).split(' ');
    entries.set(line.slice(tab + 1), { mode, object });
  }
  return entries;
}

function same(left: TreeEntry, right: TreeEntry | undefined): boolean {
  return left.mode === right?.mode && left.object === right.object;
}

function isGitlink({ before, after }: TreeChange): boolean {
  return before?.mode === gitlinkMode || after?.mode === gitlinkMode;
}
