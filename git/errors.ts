import type { FailureType } from '../domain/failure-types.ts';
import { type ErrorKind, LonghaulError } from '../domain/longhaul-error.ts';

interface Cause {
  kind: ErrorKind;
  /** `RepositoryUnusable` if absent. */
  failureType?: FailureType;
  retryable?: boolean;
}

/** The folder that a person named cannot hold a project. */
const folderUnusable: Cause = { kind: 'input', failureType: 'FolderUnusable' };
/** The person's own git is in the way, or something keeps git from writing. A merge that they began may take them a day. */
const busy: Cause = { kind: 'conflict', failureType: 'RepositoryBusy', retryable: true };
/** An edit or commit of this moment is in the way, or an attempt that was presumed dead. That does not last. */
const passing: Cause = { kind: 'conflict', retryable: true };
const unusable: Cause = { kind: 'conflict' };
const defect: Cause = { kind: 'defect' };

const causes = {
  FolderIsFile: folderUnusable,
  FolderNotEmpty: folderUnusable,
  FolderNotWritable: folderUnusable,
  FolderPrivate: { kind: 'input', failureType: 'FolderNotAllowed' },
  DetachedHead: folderUnusable,
  BareRepository: { kind: 'input' },
  PartialClone: { kind: 'input' },
  SparseCheckout: { kind: 'input' },
  FilteredFiles: { kind: 'input' },
  NotARepository: unusable,
  RepositoryBusy: busy,
  RepositoryLocked: busy,
  FilesNotFollowed: busy,
  BranchMoved: passing,
  UncommittedChanges: passing,
  RefTaken: passing,
  BranchCheckedOutElsewhere: unusable,
  FilesInTheWay: unusable,
  FilesHeld: unusable,
  NestedRepository: unusable,
  InvalidSnapshot: unusable,
  BundleTooLarge: unusable,
  DiskFull: { kind: 'away', failureType: 'DiskFull' },
  GitStopped: { kind: 'away', failureType: 'Internal' },
  GitNotFound: { kind: 'away', retryable: false },
  GitTooOld: { kind: 'away', retryable: false },
  GitCommand: { kind: 'away', retryable: false },
  OutputTooLong: defect,
  NoCommit: unusable,
  UnknownRevision: defect,
  InvalidRef: defect,
  InvalidPath: defect,
  InvalidTrailer: defect,
  InvalidIdentity: defect,
} satisfies Record<string, Cause>;

export type GitErrorCode = keyof typeof causes;

/** What stops work on a project's repository. */
export class GitError extends LonghaulError<GitErrorCode> {
  /** The files or folders concerned. */
  readonly paths: string[];
  /** What a ref names instead. */
  readonly found: string | undefined;
  /** What git said. */
  readonly stderr: string;

  constructor(
    code: GitErrorCode,
    message: string,
    {
      paths = [],
      found,
      stderr = '',
      cause,
    }: { paths?: string[]; found?: string | undefined; stderr?: string; cause?: unknown } = {},
  ) {
    super(message, { code, failureType: 'RepositoryUnusable', ...causes[code], cause });
    this.paths = paths;
    this.found = found;
    this.stderr = stderr;
  }
}

/** Whether something is a `GitError` with one of these codes. */
export function isGitError(error: unknown, ...codes: GitErrorCode[]): error is GitError {
  return error instanceof GitError && codes.includes(error.code);
}
