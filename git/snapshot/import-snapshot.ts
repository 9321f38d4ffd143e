import { isUtf8 } from 'node:buffer';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gitErrors } from '../error-messages.ts';
import { isGitError } from '../errors.ts';
import { ageOf } from '../locks/wait-for-lock.ts';
import type { Git } from '../process/run-git.ts';
import { compareTrees, gitlinkMode, type TreeChange } from '../tree/compare-trees.ts';
import { requirePresent, resolveCommit } from '../tree/refs.ts';
import { foldCase, readablePath } from '../working-tree/look-at-files.ts';
import { parseBundle } from './parse-bundle.ts';

export interface SnapshotLimits {
  /** Bytes of the bundle. */
  bundleBytes: number;
  /** Total bytes, unpacked, of the files that the snapshot adds or changes. */
  fileBytes: number;
  /** Total bytes of the names of all its files; detects a small tree that contains itself over and over. */
  listingBytes: number;
}

/** Far above what a session writes by hand, yet below what fills a disk: a `node_modules` that was not ignored has about 0.5 GB. */
export const defaultSnapshotLimits: SnapshotLimits = {
  bundleBytes: 256 * 1024 * 1024,
  fileBytes: 1024 * 1024 * 1024,
  listingBytes: 64 * 1024 * 1024,
};

/** Milliseconds after which a quarantine folder is attributed to an import that was killed. */
const abandonedAfter = 3_600_000;
const quarantinePrefix = 'tmp_objdir-longhaul-';

/** Adds a snapshot's objects after checking them; see `ProjectRepository.importSnapshot`. */
export async function importSnapshot(
  git: Git,
  snapshot: { bundle: Buffer; commit: string; base: string },
  limits: SnapshotLimits = defaultSnapshotLimits,
): Promise<{ tree: string }> {
  const { bundle, commit } = snapshot;
  if (bundle.length > limits.bundleBytes) throw gitErrors.bundleTooLarge('bytes', bundle.length, limits.bundleBytes);
  const { pack, prerequisites } = parseBundle(bundle);
  const base = await requirePresent(git, snapshot.base);
  for (const prerequisite of prerequisites) {
    if (prerequisite !== base && (await resolveCommit(git, prerequisite)) === undefined) {
      throw gitErrors.invalidSnapshot(`it builds on ${prerequisite}, which the project does not have`);
    }
  }
  const objects = join(git.commonFolder, 'objects');
  await removeAbandoned(objects);
  const quarantine = await mkdtemp(join(objects, quarantinePrefix));
  try {
    const inside = git.with({ GIT_OBJECT_DIRECTORY: quarantine, GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(objects) });
    await unpack(inside, pack);
    const tree = await checkCommit(inside, commit, base);
    await checkFiles(inside, base, commit, limits);
    await adopt(quarantine, objects);
    await repackWhenMany(git, objects);
    return { tree };
  } finally {
    await rm(quarantine, { recursive: true, force: true });
  }
}

/** `--strict` checks every object as `git fsck` does: no `.git` entries, no `..`, no forged `.gitmodules`. */
async function unpack(git: Git, pack: Buffer): Promise<void> {
  try {
    await git.run(['index-pack', '--stdin', '--fix-thin', '--strict'], { input: pack });
  } catch (error) {
    if (!isGitError(error, 'GitCommand')) throw error;
    throw gitErrors.invalidSnapshot(error.stderr.trim().slice(0, 500), { cause: error });
  }
}

async function checkCommit(git: Git, commit: string, base: string): Promise<string> {
  if (!/^[0-9a-f]{40,64}$/.test(commit) || (await resolveCommit(git, commit)) !== commit) {
    throw gitErrors.invalidSnapshot(`it does not contain the commit ${commit}`);
  }
  const header = (await git.text(['cat-file', 'commit', commit])).split('\n\n')[0] ?? '';
  const [tree = '', ...lines] = header.split('\n');
  const parents = lines.filter((line) => line.startsWith('parent '));
  if (parents.length !== 1 || parents[0] !== `parent ${base}`) {
    throw gitErrors.invalidSnapshot(
      `expected ${base} as the only parent of its commit, got ${parents.join(', ') || 'none'}`,
    );
  }
  return tree.slice('tree '.length);
}

async function checkFiles(git: Git, base: string, commit: string, limits: SnapshotLimits): Promise<void> {
  const paths = await listWithin(git, commit, limits.listingBytes);
  const changes = await compareTrees(git, base, commit);
  refuseUnreadable(changes);
  await refuseTwins(git, paths, changes);
  const nested = changes.filter(({ before, after }) => after?.mode === gitlinkMode && before?.mode !== gitlinkMode);
  if (nested.length > 0) throw gitErrors.nestedRepository(nested.map(({ path }) => readablePath(path)));
  const files = changes.flatMap(({ after }) => (after && after.mode !== gitlinkMode ? [after.object] : []));
  const input = files.map((object) => `${object}\n`).join('');
  const sizes = files.length === 0 ? '' : await git.text(['cat-file', '--batch-check=%(objectsize)'], { input });
  const total = sizes.split('\n').reduce((sum, size) => sum + Number(size), 0);
  if (total > limits.fileBytes) throw gitErrors.bundleTooLarge('bytes of files', total, limits.fileBytes);
}

/** Different names that are not UTF-8 may be read as the same, so what is judged could be another file; those of the project are not the snapshot's fault. */
function refuseUnreadable(changes: TreeChange[]): void {
  const added = changes.filter(({ before, after }) => after && !before).map(({ path }) => path);
  const unreadable = added.find((path) => !isUtf8(Buffer.from(path, 'latin1')));
  if (unreadable === undefined) return;
  throw gitErrors.invalidSnapshot(`the name of ${readablePath(unreadable)} is not UTF-8; give it another`);
}

/** The paths (latin1) of a commit. Runs before anything else walks the tree: `ls-tree` prints as it goes, so an endless tree is stopped in time. */
async function listWithin(git: Git, commit: string, limit: number): Promise<string[]> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit];
  try {
    return await git.fields(args, { maxBytes: limit, encoding: 'latin1' });
  } catch (error) {
    if (isGitError(error, 'OutputTooLong')) throw gitErrors.bundleTooLarge('bytes of file names', undefined, limit);
    if (!isGitError(error, 'GitCommand')) throw error;
    throw gitErrors.invalidSnapshot('git cannot list its files', { cause: error });
  }
}

/** A folder on a case-insensitive disk can't hold both files; those that the project has already are not the snapshot's fault. */
async function refuseTwins(git: Git, paths: string[], changes: TreeChange[]): Promise<void> {
  const added = new Set(changes.flatMap(({ path, before }) => (before ? [] : [foldCase(path)])));
  if (added.size === 0 || !(await ignoresCase(git))) return;
  const byFolded = new Map<string, string[]>();
  for (const path of paths) {
    const folded = foldCase(path);
    if (added.has(folded)) byFolded.set(folded, [...(byFolded.get(folded) ?? []), readablePath(path)]);
  }
  const twins = [...byFolded.values()].find((spellings) => spellings.length > 1);
  if (!twins) return;
  throw gitErrors.invalidSnapshot(
    `${twins.join(' and ')} differ only in case, and the disk of the project's folder cannot store both`,
  );
}

async function ignoresCase(git: Git): Promise<boolean> {
  const found = await git.run(['config', '--type=bool', '--get', 'core.ignorecase'], { exitCodes: [1] });
  return found.stdout.toString('utf8').trim() === 'true';
}

/** Moves the pack into the repository, its index last, since that makes git see the pack. */
async function adopt(quarantine: string, objects: string): Promise<void> {
  const files = await readdir(join(quarantine, 'pack'));
  files.sort((left, right) => Number(left.endsWith('.idx')) - Number(right.endsWith('.idx')));
  for (const file of files) await rename(join(quarantine, 'pack', file), join(objects, 'pack', file));
}

async function removeAbandoned(objects: string): Promise<void> {
  for (const name of await readdir(objects)) {
    if (!name.startsWith(quarantinePrefix)) continue;
    const folder = join(objects, name);
    if (((await ageOf(folder)) ?? 0) > abandonedAfter) await rm(folder, { recursive: true, force: true });
  }
}

/** Quotes a path as git expects it in a colon-separated list. */
function quotePath(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Like git's own `gc.autoPackLimit`: reading an object searches every pack, and each imported snapshot leaves one. */
const manyPacks = 50;

/** Combines small packs into larger ones when there are many; deletes no object, reachable or not. */
async function repackWhenMany(git: Git, objects: string): Promise<void> {
  const packs = (await readdir(join(objects, 'pack'))).filter((name) => name.endsWith('.pack'));
  if (packs.length <= manyPacks) return;
  await git.run(['repack', '-d', '-l', '-q', '--geometric=2']);
}
