import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkProjectFolder } from './check-project-folder.ts';
import { commitPersonChanges } from './commit-person-changes.ts';
import { FolderNotWritableError, GitCommandError, NoCommitError } from './errors.ts';
import { gitEnvironment } from './git-environment.ts';
import { requireGitVersion } from './git-version.ts';
import { harnessIdentity, type OpenRequest, openGit, openProjectRepository } from './open-project-repository.ts';
import { findPerson } from './person.ts';
import type { ProjectRepository } from './project-repository.ts';
import { resolveCommit } from './refs.ts';
import { refuseFilters } from './refuse-filters.ts';
import { spawnGit } from './run-git.ts';
import { checkedOutBranch } from './working-tree-status.ts';

export interface CreateRequest extends OpenRequest {
  /** Take files that are there without git into a first commit, as the person's. */
  adopt?: boolean;
}

/**
 * Makes a folder a project's repository, or takes the repository that is there as it is (files in one that has no
 * commit yet become its first, as the person's). A new one has the branch `main`, or the one named, and no commit until
 * the harness makes one. Calling it again is fine. Errors are those of
 * `checkProjectFolder` and `openProjectRepository`, and `NestedRepositoryError` for adopted files with repositories in them, and `FilteredFilesError`.
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
    throw new FolderNotWritableError(folder, { cause: error });
  }
  const environment = gitEnvironment(request.environment ?? process.env, request.identity ?? harnessIdentity, folder);
  await requireGitVersion(folder, environment);
  const args = ['init', '--quiet', '--template=', `--initial-branch=${request.branch ?? 'main'}`, folder];
  const result = await spawnGit(args, { folder, environment });
  if (result.exitCode === 0) return;
  const cause = new GitCommandError({ command: args, exitCode: result.exitCode, stderr: result.stderr });
  if (/permission denied|read-only/i.test(result.stderr)) throw new FolderNotWritableError(folder, { cause });
  throw cause;
}

/** Not `mkdir` with `recursive`, which never returns where a file system answers ENOENT for every new folder, as /proc does. */
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

/** Looks at what a person brought; commits the files of a repository that has no commit yet, be it new, the person's, or one whose adoption was interrupted. */
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
    // There may be no files, or none but ignored ones.
    if (!(error instanceof NoCommitError)) throw error;
  }
}
