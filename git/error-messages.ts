import { GitError } from './errors.ts';

/** One function per error, which builds its message. */
export const gitErrors = {
  /** A git command ended with an exit code that its caller did not expect. */
  gitCommand(details: { command: string[]; exitCode: number | undefined; stderr: string }) {
    const said = details.stderr.trim().slice(-2000) || '(nothing)';
    const command = details.command.join(' ').slice(0, 300);
    return new GitError('GitCommand', `git ${command} ended with ${details.exitCode ?? 'a signal'}: ${said}`, details);
  },
  /** Git could not write for lack of space. */
  diskFull: (folder: string, said: string) =>
    new GitError(
      'DiskFull',
      `The disk of ${folder} is full: ${said.trim().slice(-500)}. Free some space; nothing is lost.`,
    ),
  /** A signal ended git, as when the machine shuts down or its memory is used up. */
  gitStopped: (command: string[], complaint: string) =>
    new GitError('GitStopped', `git ${command.join(' ').slice(0, 300)} was ended by a signal: ${complaint}`),
  outputTooLong: (command: string[], limit: number) =>
    new GitError(
      'OutputTooLong',
      `git ${command.join(' ').slice(0, 300)} printed more than ${limit} bytes. Request less output.`,
    ),
  gitNotFound: (options?: ErrorOptions) =>
    new GitError('GitNotFound', 'Expected git in PATH, found none. Install git 2.38 or newer and start again.', {
      ...options,
    }),
  gitTooOld: (found: string, needed: string) =>
    new GitError(
      'GitTooOld',
      `Longhaul needs git ${needed} or newer (for "git merge-tree --write-tree"); found ${found}. Update git.`,
    ),
  notARepository: (folder: string, reason: string, options?: ErrorOptions) =>
    new GitError(
      'NotARepository',
      `Expected ${folder} to be the top folder of a git repository, but ${reason}. Restore it, or name another folder.`,
      { ...options },
    ),
  folderIsFile: (folder: string, file: string) =>
    new GitError(
      'FolderIsFile',
      `The project's folder ${folder} can't be used: ${file} is a file, not a folder. Name another folder.`,
    ),
  folderNotEmpty: (folder: string, examples: string[]) =>
    new GitError(
      'FolderNotEmpty',
      `${folder} has files (${examples.join(', ')}) but no git repository. Name an empty folder, or pass --adopt to ` +
        'make it a repository whose first commit has these files.',
    ),
  folderNotWritable: (folder: string, options?: ErrorOptions) =>
    new GitError(
      'FolderNotWritable',
      `${folder} can't be written by this user. Change its permissions, or name another folder.`,
      { ...options },
    ),
  folderPrivate: (folder: string, real: string, what: string) =>
    new GitError(
      'FolderPrivate',
      `${folder}${real === folder ? '' : ` (really ${real})`} can't be a project's folder: it is ${what}, and agents see all of a project's files. ` +
        'Name a folder that holds nothing but the project.',
    ),
  bareRepository: (folder: string) =>
    new GitError(
      'BareRepository',
      `${folder} is a bare repository, without a working directory. Clone it and name the clone.`,
    ),
  partialClone: (folder: string) =>
    new GitError(
      'PartialClone',
      `${folder} is a partial clone: git would fetch missing objects from its remote, which Longhaul ` +
        'never lets it do. Make a full clone ("git clone" without --filter) and name that.',
    ),
  sparseCheckout: (folder: string) =>
    new GitError(
      'SparseCheckout',
      `${folder} has a sparse checkout, which leaves out files of a commit. Run "git sparse-checkout disable" there.`,
    ),
  filteredFiles: (folder: string, paths: string[]) =>
    new GitError(
      'FilteredFiles',
      `${folder} has files that git passes through a filter (${some(paths)}), such as git-lfs. Longhaul runs no filters and ` +
        'would commit them unfiltered. Remove the filter ("git lfs migrate export"), or name another folder.',
      { paths },
    ),
  detachedHead: (folder: string) =>
    new GitError(
      'DetachedHead',
      `${folder} has no branch checked out (detached HEAD), so there is no branch for checkpoints. Run ` +
        '"git switch <branch>" or "git switch -c <new branch>" there and start again.',
    ),
  noCommit: (branch: string) =>
    new GitError(
      'NoCommit',
      `Branch ${branch} has no commit yet, and the folder has nothing to commit. Make a first commit there.`,
    ),
  unknownRevision: (revision: string) =>
    new GitError(
      'UnknownRevision',
      `The project's repository has no commit ${JSON.stringify(revision.slice(0, 100))}. "git log" in its folder lists its commits.`,
    ),
  /** The branch is neither where the caller expected it nor where the caller wants it. */
  branchMoved: (branch: string, expected: string | undefined, found: string | undefined) =>
    new GitError(
      'BranchMoved',
      `Expected branch ${branch} at ${expected ?? 'no commit'}, found it at ${found ?? 'no commit'}: somebody moved it. ` +
        'Read the branch again and merge onto it.',
      { found },
    ),
  branchCheckedOutElsewhere: (branch: string, folder: string) =>
    new GitError(
      'BranchCheckedOutElsewhere',
      `Branch ${branch} is checked out in another worktree, ${folder}. Switch that worktree to another branch, or remove it.`,
    ),
  /** The working directory has changes that moving the branch could overwrite; commit them first (`commitPersonChanges`). */
  uncommittedChanges: (folder: string, paths: string[], options?: ErrorOptions) =>
    new GitError(
      'UncommittedChanges',
      `${folder} has uncommitted changes (${some(paths)}). Commit them first; nothing was changed.`,
      { paths, ...options },
    ),
  /** Ignored files lie where the new commit has files of its own; no commit would save them. */
  filesInTheWay: (folder: string, paths: string[]) =>
    new GitError(
      'FilesInTheWay',
      `${folder} has ignored or newer files at paths that the project now uses (${some(paths)}). Move or delete them; ` +
        'they were not changed.',
      { paths },
    ),
  /** A person's flag keeps git from looking at these files. */
  filesHeld: (folder: string, reasons: string[]) =>
    new GitError(
      'FilesHeld',
      `Could not write the project's new files in ${folder}: ${some(reasons)}. Nothing was changed.`,
    ),
  /** The branch has moved, and its files could not follow; the next call on the working directory tries again. */
  filesNotFollowed: (folder: string, branch: string, reason: string, options?: ErrorOptions) =>
    new GitError(
      'FilesNotFollowed',
      `Branch ${branch} has moved, but the files in ${folder} could not be updated: ${reason} Do not commit there now, ` +
        'since that would undo the work of the branch. Remove the cause, and the files are updated.',
      { ...options },
    ),
  repositoryBusy: (folder: string, operation: string) =>
    new GitError(
      'RepositoryBusy',
      `A ${operation} is in progress in ${folder}. Finish it or abort it ("git ${operation} --abort"), then try again.`,
    ),
  /** Another process holds the repository's lock; worth a retry. */
  repositoryLocked: (lock: string, holder: string) =>
    new GitError(
      'RepositoryLocked',
      `The repository is locked by ${lock} (${holder}). Wait for that process, or delete the file if it is stale. Then try again.`,
    ),
  nestedRepository: (paths: string[]) =>
    new GitError(
      'NestedRepository',
      `These folders are git repositories themselves: ${some(paths)}. Remove the .git folder inside each, or ignore them.`,
      { paths },
    ),
  /** A sandbox sent something that is not one clean snapshot on top of the expected commit. */
  invalidSnapshot: (reason: string, options?: ErrorOptions) =>
    new GitError(
      'InvalidSnapshot',
      `The sandbox's snapshot was refused: ${reason}. Nothing of it was stored; take the snapshot again from clean files.`,
      { ...options },
    ),
  bundleTooLarge: (what: string, found: number | undefined, limit: number) =>
    new GitError(
      'BundleTooLarge',
      `The sandbox's snapshot has too many ${what}: ${found ?? 'more than the limit'}, expected at most ${limit}. Delete or ignore ` +
        'large generated files in the workspace.',
    ),
  refTaken: (ref: string, wanted: string, found: string) =>
    new GitError(
      'RefTaken',
      `${ref} already points to ${found} and never changes, so it cannot point to ${wanted}. Use that commit, or another ref.`,
      { found },
    ),
  invalidRef: (ref: string, rule: string) =>
    new GitError('InvalidRef', `${JSON.stringify(ref)} is not a valid ref: ${rule}.`),
  invalidPath: (path: string) =>
    new GitError(
      'InvalidPath',
      `Expected a relative path without "..", "." or ".git" for a commit, got ${JSON.stringify(path)}.`,
    ),
  invalidTrailer: (key: string) =>
    new GitError(
      'InvalidTrailer',
      `Expected a commit trailer of letters, digits and "-" with a value, got ${JSON.stringify(key)}.`,
    ),
  invalidIdentity: (identity: { name: string; email: string }) =>
    new GitError(
      'InvalidIdentity',
      `Expected a name and an e-mail address as a commit's identity, got ${JSON.stringify(identity)}.`,
    ),
};

function some(paths: string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}
