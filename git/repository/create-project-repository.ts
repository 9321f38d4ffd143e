import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gitErrors } from '../error-messages.ts';
import { isGitError } from '../errors.ts';
import { gitEnvironment } from '../process/git-environment.ts';
import { requireGitVersion } from '../process/git-version.ts';
import { refuseFilters } from '../process/refuse-filters.ts';
import { spawnGit } from '../process/run-git.ts';
import { resolveCommit } from '../tree/refs.ts';
import { commitPersonChanges } from '../working-tree/commit-person-changes.ts';
import { findPerson } from '../working-tree/person.ts';
import { checkedOutBranch } from '../working-tree/working-tree-status.ts';
import { checkProjectFolder } from './check-project-folder.ts';
import { harnessIdentity, type OpenRequest, openGit, openProjectRepository } from './open-project-repository.ts';
import type { ProjectRepository } from './project-repository.ts';

export interface CreateRequest extends OpenRequest {
  /** Commit files that exist without git as the first commit, in the person's name. */
  adopt?: boolean;
}

/**
 * Turns a folder into a project's repository, or takes the existing repository as it is (if it has no commit yet, its files become the first one, in
 * the person's name). A new repository has the branch `main`, or the one named, and no commit until the harness makes one. Idempotent.
 * @throws the errors of `checkProjectFolder` and `openProjectRepository`.
 * @throws {GitError} FilteredFiles.
 * @throws {GitError} NestedRepository if adopted files contain repositories.
 */
export async function createProjectRepository(request: CreateRequest): Promise<ProjectRepository> {
  const folder = resolve(request.folder);
  const kind = await checkProjectFolder(folder, { adopt: request.adopt === true });
  if (kind !== 'repository') await initialize(folder, request);
  try {
    if (request.adopt || kind === 'repository') await adoptFiles({ ...request, folder });
  } catch (error) {
    if (kind !== 'repository') await rm(join(folder, '.git'), { recursive: true });
    throw error;
  }
  return openProjectRepository({ ...request, folder });
}

async function initialize(folder: string, request: CreateRequest): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (error) {
    throw gitErrors.folderNotWritable(folder, { cause: error });
  }
  const environment = gitEnvironment(request.environment ?? process.env, request.identity ?? harnessIdentity, folder);
  await requireGitVersion(folder, environment);
  const args = ['init', '--quiet', '--template=', `--initial-branch=${request.branch ?? 'main'}`, folder];
  const result = await spawnGit(args, { folder, environment });
  if (result.exitCode === 0) return;
  const cause = gitErrors.gitCommand({ command: args, exitCode: result.exitCode, stderr: result.stderr });
  if (/permission denied|read-only/i.test(result.stderr)) throw gitErrors.folderNotWritable(folder, { cause });
  throw cause;
}

/** Not `mkdir` with `recursive`, which never returns if a file system answers ENOENT for every new folder, as /proc does. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT') throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}

/**
 * Checks the filters of an existing repository, and commits the files of one that has no commit yet, whether it is new, the person's, or left by an
 * interrupted adoption.
 */
async function adoptFiles(request: CreateRequest): Promise<void> {
  const { git, identity, person, filters } = await openGit(request);
  await refuseFilters(git, filters);
  const branch = await checkedOutBranch(git);
  if (branch === undefined || (await resolveCommit(git, `refs/heads/${branch}`)) !== undefined) return;
  try {
    await commitPersonChanges(git, {
      branch,
      person: await findPerson(git, branch, person, identity),
      message: 'Files before Longhaul',
      refuseNested: request.adopt === true,
    });
  } catch (error) {
    // There may be no files, or only ignored ones.
    if (!isGitError(error, 'NoCommit')) throw error;
  }
}
