import type { Identity } from './repository/project-repository.ts';

/** Base class of the errors of `git/` with a known cause; anything else is a defect or a disk error. */
export abstract class GitError extends Error {}

/** A git command ended with an exit code that its caller did not expect. */
export class GitCommandError extends GitError {
  override name = 'GitCommandError';
  readonly command: string[];
  readonly exitCode: number | undefined;
  readonly stderr: string;
  constructor(details: { command: string[]; exitCode: number | undefined; stderr: string }, options?: ErrorOptions) {
    const said = details.stderr.trim().slice(-2000) || '(nothing)';
    super(
      `git ${details.command.join(' ').slice(0, 300)} ended with ${details.exitCode ?? 'a signal'}: ${said}`,
      options,
    );
    this.command = details.command;
    this.exitCode = details.exitCode;
    this.stderr = details.stderr;
  }
}

/** Git could not write for lack of space. */
export class DiskFullError extends GitError {
  override name = 'DiskFullError';
  constructor(folder: string, said: string) {
    super(`There is no room left on the disk of ${folder}: ${said.trim().slice(-500)}. Make room; nothing is lost.`);
  }
}

/** A signal ended git, as when the machine shuts down or its memory is used up: no `GitError`, since another attempt may succeed. */
export class GitStoppedError extends Error {
  override name = 'GitStoppedError';
  constructor(command: string[], complaint: string) {
    super(`git ${command.join(' ').slice(0, 300)} was ended by a signal: ${complaint}`);
  }
}

export class OutputTooLongError extends GitError {
  override name = 'OutputTooLongError';
  constructor(command: string[], limit: number) {
    super(`git ${command.join(' ').slice(0, 300)} printed more than ${limit} bytes. Ask for less of it.`);
  }
}

export class GitNotFoundError extends GitError {
  override name = 'GitNotFoundError';
  constructor(options?: ErrorOptions) {
    super('Longhaul needs git, and none is on PATH. Install git 2.38 or newer and start again.', options);
  }
}

export class GitTooOldError extends GitError {
  override name = 'GitTooOldError';
  constructor(found: string, needed: string) {
    super(`Longhaul needs git ${needed} or newer (for "git merge-tree --write-tree"); found ${found}. Update git.`);
  }
}

export class NotARepositoryError extends GitError {
  override name = 'NotARepositoryError';
  constructor(folder: string, reason: string, options?: ErrorOptions) {
    super(
      `${folder} should be the top folder of a git repository, but ${reason}. Restore it, or name another folder.`,
      options,
    );
  }
}

export class FolderIsFileError extends GitError {
  override name = 'FolderIsFileError';
  constructor(folder: string, file: string) {
    super(`The project's folder ${folder} can't be used: ${file} is a file, not a folder. Name another folder.`);
  }
}

export class FolderNotEmptyError extends GitError {
  override name = 'FolderNotEmptyError';
  constructor(folder: string, examples: string[]) {
    super(
      `${folder} holds files (${examples.join(', ')}) but no git repository. Name an empty folder, or pass --adopt to ` +
        'make it a repository whose first commit is what is there now.',
    );
  }
}

export class FolderNotWritableError extends GitError {
  override name = 'FolderNotWritableError';
  constructor(folder: string, options?: ErrorOptions) {
    super(`${folder} can't be written by this user. Change its permissions, or name another folder.`, options);
  }
}

export class BareRepositoryError extends GitError {
  override name = 'BareRepositoryError';
  constructor(folder: string) {
    super(`${folder} is a bare repository, without a working directory. Clone it and name the clone.`);
  }
}

export class PartialCloneError extends GitError {
  override name = 'PartialCloneError';
  constructor(folder: string) {
    super(
      `${folder} is a partial clone: git would fetch missing objects from its remote while Longhaul works, which it ` +
        'never does. Make a full clone ("git clone" without --filter) and name that.',
    );
  }
}

export class SparseCheckoutError extends GitError {
  override name = 'SparseCheckoutError';
  constructor(folder: string) {
    super(
      `${folder} has a sparse checkout, where files of a commit are absent on purpose. Run "git sparse-checkout disable" there.`,
    );
  }
}

export class FilteredFilesError extends GitError {
  override name = 'FilteredFilesError';
  readonly paths: string[];
  constructor(folder: string, paths: string[]) {
    super(
      `${folder} has files that git passes through a filter (${some(paths)}), such as git-lfs. Longhaul runs no filters and ` +
        'would commit them as they lie there. Take the filter off them ("git lfs migrate export"), or name another folder.',
    );
    this.paths = paths;
  }
}

export class DetachedHeadError extends GitError {
  override name = 'DetachedHeadError';
  constructor(folder: string) {
    super(
      `${folder} has no branch checked out (detached HEAD), so there is no branch for checkpoints to go to. Run ` +
        '"git switch <branch>" or "git switch -c <new branch>" there and start again.',
    );
  }
}

export class NoCommitError extends GitError {
  override name = 'NoCommitError';
  constructor(branch: string) {
    super(
      `Branch ${branch} has no commit yet and the folder holds nothing to commit. Make the first commit with moveBranch.`,
    );
  }
}

export class UnknownRevisionError extends GitError {
  override name = 'UnknownRevisionError';
  constructor(revision: string) {
    super(
      `The project's repository has no commit ${JSON.stringify(revision.slice(0, 100))}. "git log" in its folder lists those it has.`,
    );
  }
}

/** The branch is neither where the caller expected it nor where the caller wants it. */
export class BranchMovedError extends GitError {
  override name = 'BranchMovedError';
  readonly expected: string | undefined;
  readonly found: string | undefined;
  constructor(branch: string, expected: string | undefined, found: string | undefined) {
    super(
      `Branch ${branch} was expected at ${expected ?? 'no commit'} but is at ${found ?? 'no commit'}: somebody moved it. ` +
        'Read the branch again and merge onto what is there.',
    );
    this.expected = expected;
    this.found = found;
  }
}

export class BranchCheckedOutElsewhereError extends GitError {
  override name = 'BranchCheckedOutElsewhereError';
  constructor(branch: string, folder: string) {
    super(
      `Branch ${branch} is checked out in another worktree, ${folder}. Switch that worktree to another branch, or remove it.`,
    );
  }
}

/** The working directory has changes that moving the branch could overwrite; commit them first (`commitPersonChanges`). */
export class UncommittedChangesError extends GitError {
  override name = 'UncommittedChangesError';
  readonly paths: string[];
  constructor(folder: string, paths: string[], options?: ErrorOptions) {
    super(
      `${folder} has changes that are not committed (${some(paths)}). Commit them first; nothing was touched.`,
      options,
    );
    this.paths = paths;
  }
}

/** Ignored files lie where the new commit has files of its own; no commit would save them. */
export class FilesInTheWayError extends GitError {
  override name = 'FilesInTheWayError';
  readonly paths: string[];
  constructor(folder: string, paths: string[]) {
    super(
      `${folder} holds ignored or newer files where the project now has its own (${some(paths)}). Move or delete them; ` +
        'they were not touched.',
    );
    this.paths = paths;
  }
}

/** Git would not write these files, whatever is in them: a person's flag or a folder's permissions keep it from that. */
export class FilesHeldError extends GitError {
  override name = 'FilesHeldError';
  constructor(folder: string, reasons: string[]) {
    super(`${folder} can't take the project's new files: ${some(reasons)}. Nothing was touched.`);
  }
}

/** The branch has moved, and its files could not follow; the next call on the working directory tries again. */
export class FilesNotFollowedError extends GitError {
  override name = 'FilesNotFollowedError';
  constructor(folder: string, branch: string, reason: string, options?: ErrorOptions) {
    super(
      `Branch ${branch} has moved, but its files in ${folder} have not followed: ${reason} Do not commit there now, ` +
        'which would undo the work of the branch. Remove the cause, and the files follow.',
      options,
    );
  }
}

export class RepositoryBusyError extends GitError {
  override name = 'RepositoryBusyError';
  constructor(folder: string, operation: string) {
    super(
      `A ${operation} is under way in ${folder}. Finish it or abort it ("git ${operation} --abort"), then try again.`,
    );
  }
}

/** Another process holds the repository's lock; worth a retry. */
export class RepositoryLockedError extends GitError {
  override name = 'RepositoryLockedError';
  constructor(lock: string, holder: string) {
    super(
      `The repository is locked by ${lock} (${holder}). Let that end; if it never will, delete the file. Then try again.`,
    );
  }
}

export class NestedRepositoryError extends GitError {
  override name = 'NestedRepositoryError';
  readonly paths: string[];
  constructor(paths: string[]) {
    super(
      `These folders are git repositories of their own: ${some(paths)}. Remove the .git folder inside each, or ignore them.`,
    );
    this.paths = paths;
  }
}

/** A sandbox sent something that is not one clean snapshot on top of the expected commit. */
export class InvalidSnapshotError extends GitError {
  override name = 'InvalidSnapshotError';
  constructor(reason: string, options?: ErrorOptions) {
    super(
      `The sandbox's snapshot was refused: ${reason}. Nothing of it was kept; take the snapshot again from clean files.`,
      options,
    );
  }
}

export class BundleTooLargeError extends GitError {
  override name = 'BundleTooLargeError';
  constructor(what: string, found: number | undefined, limit: number) {
    super(
      `The sandbox's snapshot has too much ${what}: ${found ?? 'more than the limit'}, at most ${limit}. Delete or ignore ` +
        'large generated files in the workspace.',
    );
  }
}

export class RefTakenError extends GitError {
  override name = 'RefTakenError';
  readonly found: string;
  constructor(ref: string, wanted: string, found: string) {
    super(
      `${ref} already names ${found} and is kept for ever; it can't name ${wanted}. Use what it names, or another ref.`,
    );
    this.found = found;
  }
}

export class InvalidRefError extends GitError {
  override name = 'InvalidRefError';
  constructor(ref: string, rule: string) {
    super(`${JSON.stringify(ref)} is not usable as a ref: ${rule}.`);
  }
}

export class InvalidPathError extends GitError {
  override name = 'InvalidPathError';
  constructor(path: string) {
    super(`${JSON.stringify(path)} can't be in a commit: it should be relative, without "..", "." or ".git" in it.`);
  }
}

export class InvalidTrailerError extends GitError {
  override name = 'InvalidTrailerError';
  constructor(key: string) {
    super(
      `The commit trailer ${JSON.stringify(key)} should be letters, digits and "-", with a value that is not empty.`,
    );
  }
}

export class InvalidIdentityError extends GitError {
  override name = 'InvalidIdentityError';
  constructor(identity: Identity) {
    super(`A commit's identity needs a name and an e-mail address; got ${JSON.stringify(identity)}.`);
  }
}

function some(paths: string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}
