/** A person or program that a commit names. */
export interface Identity {
  name: string;
  email: string;
}

export interface CommitRequest {
  tree: string;
  parents: string[];
  message: string;
  /** Written as git trailers, e.g. `Longhaul-Session`. Also how a retry finds the commit of its first attempt. */
  trailers: Record<string, string>;
}

export interface ChangedFile {
  path: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed';
}

/**
 * The repository in a project's directory, handled as hostile: its hooks, filters, fsmonitor and global configuration are
 * never used, and nothing that an agent wrote is run. Agents never touch it; their work arrives as bundles of objects.
 */
export interface ProjectRepository {
  readonly folder: string;
  /** The branch that checkpoints go to. */
  readonly branch: string;
  /** The branch's commit; undefined before the first. */
  head(): Promise<string | undefined>;
  /** Reads a ref; undefined where there is none. */
  resolve(revision: string): Promise<string | undefined>;
  /**
   * Commits what a person changed in the working directory as theirs, if anything; returns the branch's commit afterwards.
   * The trailer `Longhaul-Author: person` marks it.
   */
  commitPersonChanges(): Promise<{ head: string; committed?: string }>;
  /** True where the working directory differs from the branch's commit. */
  hasUncommittedChanges(): Promise<boolean>;
  /** A tar of a bare, shallow (50 commits) `.git` that holds the commit and the extra refs given (ref name -> commit). */
  exportGitFolder(commit: string, extraRefs?: Record<string, string>): Promise<NodeJS.ReadableStream>;
  /** Adds the objects of a bundle, checked; refuses nested repositories that `base` did not have. Returns the commit's tree. */
  importSnapshot(bundle: Buffer, commit: string, base: string): Promise<{ tree: string }>;
  /** Writes a tree of these files on top of an optional base tree. */
  writeTree(files: Array<{ path: string; content: string; executable?: boolean }>, baseTree?: string): Promise<string>;
  /** Creates the commit object, or returns the one that `findCommit` knows by the same trailers when `ref` already names it. */
  commit(request: CommitRequest): Promise<string>;
  /** Merges the work of `ours` since `base` onto `onto`; returns the merged tree, or the conflicting paths. */
  mergeTrees(input: { base: string; ours: string; onto: string }): Promise<{ tree: string } | { conflicts: string[] }>;
  treeOf(commit: string): Promise<string>;
  /** Points a ref under `refs/longhaul/` at a commit; kept for ever. */
  keep(ref: string, commit: string): Promise<void>;
  /** Moves the branch and the working directory from one commit to another; refused (`BranchMovedError`) where the branch is elsewhere. */
  moveBranch(from: string | undefined, to: string): Promise<void>;
  changedFiles(from: string, to: string): Promise<ChangedFile[]>;
  /** A unified diff as text. */
  diff(from: string, to: string, options?: { stat?: boolean; paths?: string[] }): Promise<string>;
  log(revision: string, options?: { limit?: number }): Promise<Array<{ commit: string; date: string; subject: string; trailers: Record<string, string> }>>;
  /** A file at a commit; undefined where there is none. */
  readFile(commit: string, path: string): Promise<Buffer | undefined>;
  listFiles(commit: string): Promise<string[]>;
}
