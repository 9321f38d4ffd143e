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
  /** ISO 8601; now if absent. The same request with the same date makes the same commit, whoever runs it. */
  date?: string;
}

export interface ChangedFile {
  path: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Of a renamed file: its former path. */
  previousPath?: string;
}

export interface LogEntry {
  commit: string;
  /** ISO 8601, the commit date. */
  date: string;
  subject: string;
  trailers: Record<string, string>;
}

/**
 * The repository in a project's directory, treated as hostile: its hooks, filters, drivers, fsmonitor and the global configuration are never used,
 * and nothing that an agent wrote is run. Agents never touch it; their work arrives as bundles of objects. Commits are given and returned as full
 * object ids. Errors are of `errors.ts`; `RepositoryLocked` can come from everything that writes, and is worth a retry.
 */
export interface ProjectRepository {
  readonly folder: string;
  /** The branch that checkpoints go to. */
  readonly branch: string;
  /** The branch's commit; undefined before the first. */
  head(): Promise<string | undefined>;
  /** The commit that a ref, id or other revision names; undefined if there is none. */
  resolve(revision: string): Promise<string | undefined>;
  /** Whether one commit equals or precedes the other in its history. */
  isAncestor(ancestor: string, commit: string): Promise<boolean>;
  /** The best common ancestor of both; undefined if they share no history. */
  mergeBase(left: string, right: string): Promise<string | undefined>;
  /**
   * Commits what a person changed in the working directory, if anything, in their name; returns the branch's commit afterwards. The trailer
   * `Longhaul-Author: person` marks it. Untracked files are included, ignored ones and nested repositories are not. Does nothing while another branch
   * is checked out.
   * @throws {GitError} RepositoryBusy in the middle of a merge or rebase.
   * @throws {GitError} NoCommit if the branch has no commit and the folder nothing to commit.
   */
  commitPersonChanges(): Promise<{ head: string; committed?: string }>;
  /** Whether the working directory differs from the branch's commit; false while another branch is checked out. */
  hasUncommittedChanges(): Promise<boolean>;
  /**
   * A tar of a bare, shallow (50 commits) `.git` whose branch is at the commit. Its temporary files are removed when the stream ends or
   * is destroyed.
   */
  exportGitFolder(commit: string): Promise<NodeJS.ReadableStream>;
  /**
   * Adds the objects of a bundle, checked in quarantine first, and returns the commit's tree. The commit must have `base` as its only parent. With
   * one of these errors, nothing was added.
   * @throws {GitError} InvalidSnapshot or BundleTooLarge.
   * @throws {GitError} NestedRepository if it has nested repositories that `base` has not.
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
   * Makes a ref under `refs/longhaul/` name a commit forever. Repeating it with the same commit has no effect.
   * @throws {GitError} RefTaken if it names another commit, unless `replacing` is that commit.
   */
  keep(ref: string, commit: string, options?: { replacing?: string }): Promise<void>;
  /**
   * Moves the branch, and the working directory if the branch is checked out, from one commit to another. If killed at any point, the move is
   * finished by the next call (of this, or of anything else that looks at the working directory), even if the branch is already at `to`. A move
   * refused with one of these errors, except FilesNotFollowed, touches nothing.
   * @throws {GitError} BranchMoved if the branch is elsewhere.
   * @throws {GitError} UncommittedChanges if a person's changes are not committed: commit them and begin again from the new head.
   * @throws {GitError} FilesInTheWay if ignored files are in the way.
   * @throws {GitError} FilesHeld if a flag on a file keeps git from looking at it.
   * @throws {GitError} RepositoryBusy if a merge or rebase is in progress.
   * @throws {GitError} BranchCheckedOutElsewhere if another worktree has the branch.
   * @throws {GitError} FilesNotFollowed if the branch has moved but git cannot update the files. Until it can, everything that looks at the working
   * directory throws this.
   */
  moveBranch(from: string | undefined, to: string): Promise<void>;
  /** Throws what `moveBranch` would throw now, and moves nothing. */
  checkMove(from: string, to: string): Promise<void>;
  changedFiles(from: string, to: string): Promise<ChangedFile[]>;
  /** By commit (full ids), the paths that it changed, added or removed. */
  filesOfCommits(commits: string[]): Promise<Map<string, string[]>>;
  /** A unified diff as text, or a diffstat; truncated with a note after 16 MiB. */
  diff(from: string, to: string, options?: { stat?: boolean }): Promise<string>;
  /** Newest first; `limit` defaults to 50. */
  log(revision: string, options?: { limit?: number }): Promise<LogEntry[]>;
  /** A file at a commit; undefined if there is none, or a folder or symbolic link. */
  readFile(commit: string, path: string): Promise<Buffer | undefined>;
  /** The same, read as UTF-8. */
  readText(commit: string, path: string): Promise<string | undefined>;
  /**
   * SHA-256 sums, in hex by path, of files of a commit as a checkout in a new clone writes them: the commit's `.gitattributes` may change their line
   * ends, their encoding, or `$Id$`. All paths must be in the commit; symbolic links and submodules have no sum.
   */
  checkedOutSums(commit: string, paths: string[]): Promise<Map<string, string>>;
  /** The paths of all entries in a commit, in git's order. */
  listFiles(commit: string): Promise<string[]>;
  /** The symbolic links of a commit, and what each points to as it is written. Names that are not UTF-8 may look the same. */
  readLinks(commit: string): Promise<Array<[path: string, target: string]>>;
}
