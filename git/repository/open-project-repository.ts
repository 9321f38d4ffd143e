import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { gitErrors } from '../error-messages.ts';
import { checkMove, moveBranch } from '../landing/move-branch.ts';
import { exists } from '../process/exists.ts';
import { gitEnvironment } from '../process/git-environment.ts';
import { requireGitVersion } from '../process/git-version.ts';
import { type ConfigEntry, localEntries, openConfig } from '../process/read-config.ts';
import { filtersOf } from '../process/refuse-filters.ts';
import { createGit, type Git, spawnGit } from '../process/run-git.ts';
import { exportGitFolder } from '../snapshot/export-git-folder.ts';
import { importSnapshot } from '../snapshot/import-snapshot.ts';
import { changedFiles, diffTrees, filesOfCommits } from '../tree/compare-trees.ts';
import { createCommit } from '../tree/create-commit.ts';
import { mergeTrees } from '../tree/merge-trees.ts';
import { createListing, readFileAt, readLog, treeOf } from '../tree/read-commit.ts';
import { readLinks } from '../tree/read-links.ts';
import { isAncestor, keepRef, mergeBase, requireCommit, resolveCommit } from '../tree/refs.ts';
import { writeTree } from '../tree/write-tree.ts';
import { checkedOutSums } from '../working-tree/checked-out-sums.ts';
import { commitPersonChanges, hasUncommittedChanges } from '../working-tree/commit-person-changes.ts';
import { findPerson, personSettingsOf } from '../working-tree/person.ts';
import { checkedOutBranch } from '../working-tree/working-tree-status.ts';
import type { Identity, ProjectRepository } from './project-repository.ts';

export interface OpenRequest {
  /** The top folder of the working directory. */
  folder: string;
  /** The branch for checkpoints; the one that is checked out if absent. */
  branch?: string;
  /** The harness as committer; `Longhaul <longhaul@localhost>` if absent. */
  identity?: Identity;
  /** Where git (PATH) and the person's configuration (HOME, XDG_CONFIG_HOME) are found; the process's own environment if absent. */
  environment?: NodeJS.ProcessEnv;
}

/** The harness's identity on commits if no other is set. */
export const harnessIdentity: Identity = { name: 'Longhaul', email: 'longhaul@localhost' };

/**
 * Opens the repository of a project's folder.
 * @throws {GitError} NotARepository if the folder is not the top of one.
 * @throws {GitError} DetachedHead if no branch is named or checked out.
 * @throws {GitError} GitTooOld, PartialClone or SparseCheckout.
 */
export async function openProjectRepository(request: OpenRequest): Promise<ProjectRepository> {
  const { git, identity, person } = await openGit(request);
  const branch = request.branch ?? (await checkedOutBranch(git));
  if (branch === undefined) throw gitErrors.detachedHead(git.folder);
  if (branch.startsWith('-')) throw gitErrors.invalidRef(branch, 'a branch name cannot begin with "-"');
  return {
    folder: git.folder,
    branch,
    head: () => resolveCommit(git, `refs/heads/${branch}`),
    resolve: (revision) => resolveCommit(git, revision),
    isAncestor: (ancestor, commit) => isAncestor(git, ancestor, commit),
    mergeBase: (left, right) => mergeBase(git, left, right),
    commitPersonChanges: async () =>
      commitPersonChanges(git, {
        branch,
        person: await findPerson(git, branch, person, identity),
        message: 'Changes made outside Longhaul',
      }),
    hasUncommittedChanges: () => hasUncommittedChanges(git, branch),
    exportGitFolder: (commit) => exportGitFolder(git, branch, commit),
    importSnapshot: (bundle, commit, base) => importSnapshot(git, { bundle, commit, base }),
    writeTree: (files, baseTree) => writeTree(git, files, baseTree),
    commit: (commitRequest) => createCommit(git, commitRequest),
    mergeTrees: (input) => mergeTrees(git, input),
    treeOf: (commit) => treeOf(git, commit),
    keep: (ref, commit, options) => keepRef(git, ref, commit, options?.replacing),
    checkMove: (from, to) => checkMove(git, branch, from, to),
    moveBranch: (from, to) => moveBranch(git, branch, from, to),
    changedFiles: async (from, to) => changedFiles(git, await requireCommit(git, from), await requireCommit(git, to)),
    filesOfCommits: (commits) => filesOfCommits(git, commits),
    diff: async (from, to, options) =>
      diffTrees(git, await requireCommit(git, from), await requireCommit(git, to), options),
    log: (revision, options) => readLog(git, revision, options?.limit),
    readFile: (commit, path) => readFileAt(git, commit, path),
    readText: async (commit, path) => (await readFileAt(git, commit, path))?.toString('utf8'),
    readLinks: (commit) => readLinks(git, commit),
    checkedOutSums: (commit, paths) => checkedOutSums(git, commit, paths),
    listFiles: createListing(git),
  };
}

/** Finds the repository and builds the hardened git for it, along with the identity, settings and filters from the person's configuration. */
export async function openGit(
  request: OpenRequest,
): Promise<{ git: Git; identity: Identity; person: Partial<Identity>; filters: Set<string> }> {
  const identity = request.identity ?? harnessIdentity;
  if (identity.name.trim() === '' || identity.email.trim() === '') throw gitErrors.invalidIdentity(identity);
  const folder = await findFolder(request.folder);
  const environment = gitEnvironment(request.environment ?? process.env, identity, folder);
  await requireGitVersion(folder, environment);
  const { gitFolder, commonFolder } = await findGitFolders(folder, environment);
  const { entries, localKeys } = await openConfig({ folder, gitFolder, environment });
  refuseUnusualClones(folder, localEntries(entries));
  const format = localEntries(entries).findLast(({ key }) => key === 'extensions.objectformat')?.value;
  const nullObject = '0'.repeat(format === 'sha256' ? 64 : 40);
  const person = personSettingsOf(entries);
  const git = createGit({
    folder,
    gitFolder,
    commonFolder,
    environment,
    nullObject,
    personSettings: person.settings,
    localKeys,
  });
  return { git, identity, person: person.identity, filters: filtersOf(entries) };
}

async function findFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    await lstat(join(real, '.git'));
    return real;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['ENOENT', 'ENOTDIR'].includes(code)) throw error;
    throw gitErrors.notARepository(folder, 'it has no .git', { cause: error });
  }
}

async function findGitFolders(folder: string, environment: Record<string, string>) {
  const gitFolder = join(folder, '.git');
  const isPlain = (await lstat(gitFolder)).isDirectory() && (await exists(join(gitFolder, 'HEAD')));
  if (isPlain && !(await exists(join(gitFolder, 'commondir')))) return { gitFolder, commonFolder: gitFolder };
  // A linked worktree or a submodule; or nothing that git can open.
  const args = [
    `--git-dir=${gitFolder}`,
    'rev-parse',
    '--path-format=absolute',
    '--absolute-git-dir',
    '--git-common-dir',
  ];
  const found = await spawnGit(args, { folder, environment });
  if (found.exitCode !== 0) throw gitErrors.notARepository(folder, `git says: ${found.stderr.trim()}`);
  const [ofWorktree = '', commonFolder = ''] = found.stdout.toString('utf8').split('\n');
  return { gitFolder: ofWorktree, commonFolder };
}

function refuseUnusualClones(folder: string, entries: ConfigEntry[]): void {
  if (entries.some(({ key }) => key === 'extensions.partialclone' || /^remote\..*\.promisor$/s.test(key)))
    throw gitErrors.partialClone(folder);
  const sparse = entries.findLast(({ key }) => key === 'core.sparsecheckout');
  if (sparse && isTrue(sparse.value)) throw gitErrors.sparseCheckout(folder);
}

/** As git reads a boolean. */
function isTrue(value: string | undefined): boolean {
  return value === undefined || /^(true|yes|on|[+-]?0*[1-9]\d*[kmg]?)$/i.test(value.trim());
}
