import { GitError } from './errors.ts';

/** One function for each error, which words it. */
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
      `There is no room left on the disk of ${folder}: ${said.trim().slice(-500)}. Make room; nothing is lost.`,
    ),
  /** A signal ended git, as when the machine shuts down or its memory is used up. */
  gitStopped: (command: string[], complaint: string) =>
    new GitError('GitStopped', `git ${command.join(' ').slice(0, 300)} was ended by a signal: ${complaint}`),
  outputTooLong: (command: string[], limit: number) =>
    new GitError(
      'OutputTooLong',
      `git ${command.join(' ').slice(0, 300)} printed more than ${limit} bytes. Ask for less of it.`,
    ),
  gitNotFound: (options?: ErrorOptions) =>
    new GitError('GitNotFound', 'Longhaul needs git, and none is on PATH. Install git 2.38 or newer and start again.', {
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
      `${folder} should be the top folder of a git repository, but ${reason}. Restore it, or name another folder.`,
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
      `${folder} holds files (${examples.join(', ')}) but no git repository. Name an empty folder, or pass --adopt to ` +
        'make it a repository whose first commit is what is there now.',
    ),
  folderNotWritable: (folder: string, options?: ErrorOptions) =>
    new GitError(
      'FolderNotWritable',
      `${folder} can't be written by this user. Change its permissions, or name another folder.`,
      { ...options },
    ),
  bareRepository: (folder: string) =>
    new GitError(
      'BareRepository',
      `${folder} is a bare repository, without a working directory. Clone it and name the clone.`,
    ),
  partialClone: (folder: string) =>
    new GitError(
      'PartialClone',
      `${folder} is a partial clone: git would fetch missing objects from its remote while Longhaul works, which it ` +
        'never does. Make a full clone ("git clone" without --filter) and name that.',
    ),
  sparseCheckout: (folder: string) =>
    new GitError(
      'SparseCheckout',
      `${folder} has a sparse checkout, where files of a commit are absent on purpose. Run "git sparse-checkout disable" there.`,
    ),
  filteredFiles: (folder: string, paths: string[]) =>
    new GitError(
      'FilteredFiles',
      `${folder} has files that git passes through a filter (${some(paths)}), such as git-lfs. Longhaul runs no filters and ` +
        'would commit them as they lie there. Take the filter off them ("git lfs migrate export"), or name another folder.',
      { paths },
    ),
  detachedHead: (folder: string) =>
    new GitError(
      'DetachedHead',
      `${folder} has no branch checked out (detached HEAD), so there is no branch for checkpoints to go to. Run ` +
        '"git switch <branch>" or "git switch -c <new branch>" there and start again.',
    ),
  noCommit: (branch: string) =>
    new GitError(
      'NoCommit',
      `Branch ${branch} has no commit yet and the folder holds nothing to commit. Make the first commit with moveBranch.`,
    ),
  unknownRevision: (revision: string) =>
    new GitError(
      'UnknownRevision',
      `The project's repository has no commit ${JSON.stringify(revision.slice(0, 100))}. "git log" in its folder lists those it has.`,
    ),
  /** The branch is neither where the caller expected it nor where the caller wants it. */
  branchMoved: (branch: string, expected: string | undefined, found: string | undefined) =>
    new GitError(
      'BranchMoved',
      `Branch ${branch} was expected at ${expected ?? 'no commit'} but is at ${found ?? 'no commit'}: somebody moved it. ` +
        'Read the branch again and merge onto what is there.',
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
      `${folder} has changes that are not committed (${some(paths)}). Commit them first; nothing was touched.`,
      { paths, ...options },
    ),
  /** Ignored files lie where the new commit has files of its own; no commit would save them. */
  filesInTheWay: (folder: string, paths: string[]) =>
    new GitError(
      'FilesInTheWay',
      `${folder} holds ignored or newer files where the project now has its own (${some(paths)}). Move or delete them; ` +
        'they were not touched.',
      { paths },
    ),
  /** A person's flag keeps git from looking at these files. */
  filesHeld: (folder: string, reasons: string[]) =>
    new GitError('FilesHeld', `${folder} can't take the project's new files: ${some(reasons)}. Nothing was touched.`),
  /** The branch has moved, and its files could not follow; the next call on the working directory tries again. */
  filesNotFollowed: (folder: string, branch: string, reason: string, options?: ErrorOptions) =>
    new GitError(
      'FilesNotFollowed',
      `Branch ${branch} has moved, but its files in ${folder} have not followed: ${reason} Do not commit there now, ` +
        'which would undo the work of the branch. Remove the cause, and the files follow.',
      { ...options },
    ),
  repositoryBusy: (folder: string, operation: string) =>
    new GitError(
      'RepositoryBusy',
      `A ${operation} is under way in ${folder}. Finish it or abort it ("git ${operation} --abort"), then try again.`,
    ),
  /** Another process holds the repository's lock; worth a retry. */
  repositoryLocked: (lock: string, holder: string) =>
    new GitError(
      'RepositoryLocked',
      `The repository is locked by ${lock} (${holder}). Let that end; if it never will, delete the file. Then try again.`,
    ),
  nestedRepository: (paths: string[]) =>
    new GitError(
      'NestedRepository',
      `These folders are git repositories of their own: ${some(paths)}. Remove the .git folder inside each, or ignore them.`,
      { paths },
    ),
  /** A sandbox sent something that is not one clean snapshot on top of the expected commit. */
  invalidSnapshot: (reason: string, options?: ErrorOptions) =>
    new GitError(
      'InvalidSnapshot',
      `The sandbox's snapshot was refused: ${reason}. Nothing of it was kept; take the snapshot again from clean files.`,
      { ...options },
    ),
  bundleTooLarge: (what: string, found: number | undefined, limit: number) =>
    new GitError(
      'BundleTooLarge',
      `The sandbox's snapshot has too much ${what}: ${found ?? 'more than the limit'}, at most ${limit}. Delete or ignore ` +
        'large generated files in the workspace.',
    ),
  refTaken: (ref: string, wanted: string, found: string) =>
    new GitError(
      'RefTaken',
      `${ref} already names ${found} and is kept for ever; it can't name ${wanted}. Use what it names, or another ref.`,
      { found },
    ),
  invalidRef: (ref: string, rule: string) =>
    new GitError('InvalidRef', `${JSON.stringify(ref)} is not usable as a ref: ${rule}.`),
  invalidPath: (path: string) =>
    new GitError(
      'InvalidPath',
      `${JSON.stringify(path)} can't be in a commit: it should be relative, without "..", "." or ".git" in it.`,
    ),
  invalidTrailer: (key: string) =>
    new GitError(
      'InvalidTrailer',
      `The commit trailer ${JSON.stringify(key)} should be letters, digits and "-", with a value that is not empty.`,
    ),
  invalidIdentity: (identity: { name: string; email: string }) =>
    new GitError(
      'InvalidIdentity',
      `A commit's identity needs a name and an e-mail address; got ${JSON.stringify(identity)}.`,
    ),
};

function some(paths: string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}
