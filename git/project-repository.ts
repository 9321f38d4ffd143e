/** A person or program that a commit names. */
export interface Identity {
  name: string;
  email: string;
}

export interface CommitRequest {
  tree: string;
  parents: string[];
  message: string;
  /** Written as git trailers, e.g. `Longhaul-Session`; letters, digits and `-`, one line each. */
  trailers: Record<string, string>;
  /** ISO 8601. The same request with the same date makes the same commit, whoever runs it; now where absent. */
  date?: string;
}

export interface ChangedFile {
  path: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Of a renamed file: the path it no longer has. */
  previousPath?: string;
}

export interface LogEntry {
  commit: string;
  /** ISO 8601, of the commit. */
  date: string;
  subject: string;
  trailers: Record<string, string>;
}

/**
 * The repository in a project's directory, handled as hostile: its hooks, filters, drivers, fsmonitor and the global
 * configuration are never used, and nothing that an agent wrote is run. Agents never touch it; their work arrives as
 * bundles of objects. Commits are given and returned as full object ids. Errors are the classes of `errors.ts`;
 * `RepositoryLockedError` can come from everything that writes, and is worth a retry.
 */
export interface ProjectRepository {
  readonly folder: string;
  /** The branch that checkpoints go to. */
  readonly branch: string;
  /** The branch's commit; undefined before the first. */
  head(): Promise<string | undefined>;
  /** The commit that a ref, id or other revision names; undefined where there is none. */
  resolve(revision: string): Promise<string | undefined>;
  /** True where one commit is the other or among those that it was made on. */
  isAncestor(ancestor: string, commit: string): Promise<boolean>;
  /** The last commit that both have below them, or are; undefined where they share none. */
  mergeBase(left: string, right: string): Promise<string | undefined>;
  /**
   * Commits what a person changed in the working directory as theirs, if anything; returns the branch's commit afterwards.
   * The trailer `Longhaul-Author: person` marks it. Untracked files are taken, ignored ones and nested repositories are
   * not. Does nothing while another branch is checked out. `RepositoryBusyError` in the middle of a merge or rebase;
   * `NoCommitError` where the branch has no commit and the folder nothing to commit.
   */
  commitPersonChanges(): Promise<{ head: string; committed?: string }>;
  /** True where the working directory differs from the branch's commit; false while another branch is checked out. */
  hasUncommittedChanges(): Promise<boolean>;
  /**
   * A tar of a bare, shallow (50 commits) `.git` whose branch is at the commit, with the extra refs given (ref name ->
   * commit). Its temporary files go when the stream ends or is destroyed.
   */
  exportGitFolder(commit: string, extraRefs?: Record<string, string>): Promise<NodeJS.ReadableStream>;
  /**
   * Adds the objects of a bundle, checked in quarantine first, and returns the commit's tree. The commit must have `base`
   * as its only parent. `InvalidSnapshotError`, `SnapshotTooLargeError`, or `NestedRepositoryError` where it has nested
   * repositories that `base` had not; then nothing was added.
   */
  importSnapshot(bundle: Buffer, commit: string, base: string): Promise<{ tree: string }>;
  /** Writes a tree of these files on top of an optional base tree. */
  writeTree(files: Array<{ path: string; content: string; executable?: boolean }>, baseTree?: string): Promise<string>;
  /** Creates a commit object as the harness; no ref names it until `keep` or `moveBranch`. */
  commit(request: CommitRequest): Promise<string>;
  /** Merges the work of `ours` since `base` onto `onto` (commits or trees); returns the merged tree, or the conflicting paths. */
  mergeTrees(input: { base: string; ours: string; onto: string }): Promise<{ tree: string } | { conflicts: string[] }>;
  treeOf(commit: string): Promise<string>;
  /**
   * Makes a ref under `refs/longhaul/` name a commit, for ever: again with the same commit is fine, with another it is
   * `RefTakenError`, unless `replacing` is the commit that it names now.
   */
  keep(ref: string, commit: string, options?: { replacing?: string }): Promise<void>;
  /**
   * Moves the branch, and the working directory where the branch is checked out, from one commit to another. Killed at any
   * point, it is finished by the next call (of this or of anything else that looks at the working directory), also when the
   * branch is already at `to`. Nothing is touched and the error says so where the branch is elsewhere
   * (`BranchMovedError`), a person's changes are not committed (`UncommittedChangesError`: commit them and begin again from
   * the new head), ignored files are in the way (`FilesInTheWayError`), a merge or rebase is under way
   * (`RepositoryBusyError`) or another worktree has the branch (`BranchCheckedOutElsewhereError`).
   */
  moveBranch(from: string | undefined, to: string): Promise<void>;
  /** Raises what `moveBranch` would refuse now, and moves nothing. */
  checkMove(from: string, to: string): Promise<void>;
  changedFiles(from: string, to: string): Promise<ChangedFile[]>;
  /** A unified diff as text, or a diffstat; cut with a note after 16 MiB. */
  diff(from: string, to: string, options?: { stat?: boolean; paths?: string[] }): Promise<string>;
  /** Newest first, 50 where no limit is given. */
  log(revision: string, options?: { limit?: number }): Promise<LogEntry[]>;
  /** A file at a commit; undefined where there is none (a folder or a symbolic link is none). */
  readFile(commit: string, path: string): Promise<Buffer | undefined>;
  /** The paths of everything in a commit, in git's order. */
  listFiles(commit: string): Promise<string[]>;
}
