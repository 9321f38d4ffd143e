import type { FailureType } from '../domain/failure-types.ts';
import { type ErrorKind, LonghaulError } from '../domain/longhaul-error.ts';

interface Cause {
  kind: ErrorKind;
  failureType: FailureType;
  retryable?: boolean;
}

/** Something that an agent started may have been in the way, or have ended the harness's own program. */
const inTheWay: Cause = { kind: 'conflict', failureType: 'WorkspaceUnusable', retryable: true };
/** What is wrong with the work itself. */
const badWork: Cause = { kind: 'conflict', failureType: 'WorkspaceUnusable' };
const noImage: Cause = { kind: 'away', failureType: 'SandboxUnavailable', retryable: false };

const causes = {
  /** The container host does not answer. Nothing is lost. */
  HostUnavailable: { kind: 'away', failureType: 'SandboxUnavailable' },
  /** A host over SSH shows a key that is not in known_hosts. */
  HostKeyUnknown: { kind: 'away', failureType: 'SandboxUnavailable', retryable: false },
  /** It stopped while in use. Reopened, it still has its files, and commands that were running are `interrupted`. */
  SandboxStopped: { kind: 'away', failureType: 'SandboxLost' },
  /** It is gone together with its files; work continues in a new one from the last checkpoint. */
  SandboxLost: { kind: 'away', failureType: 'SandboxLost' },
  /** Nothing runs there, not even a clean-up: a person has to free space. */
  DiskFull: { kind: 'away', failureType: 'DiskFull', retryable: false },
  /** The sandbox did not do what the harness asked; the message contains its answer. */
  HarnessFailed: inTheWay,
  CommandNotEnded: inTheWay,
  /** The workspace's `.git` lacks what the harness put there; `repairRepository` restores it without touching the files. */
  RepositoryDamaged: inTheWay,
  /** The workspace already holds a commit other than the requested one. */
  WorkspaceLoaded: { kind: 'defect', failureType: 'Internal' },
  /** There are git repositories within the workspace, which a commit cannot hold. */
  NestedRepository: badWork,
  /** Permissions keep the sandbox's user from reading files of the workspace. */
  WorkspaceUnreadable: badWork,
  SnapshotTooLarge: badWork,
  /** Something that an agent started floods the output of the harness's own programs. The sandbox is stopped. */
  OutputTooLong: badWork,
  /** Something that an agent did holds up one of the harness's own programs. The sandbox is stopped. */
  ProgramTooSlow: badWork,
  /** It has more on disk than its share. The sandbox is stopped. */
  QuotaExceeded: badWork,
  /** A file tool was called on something that it cannot handle; the message tells the model what to do instead. */
  FileRefused: { kind: 'input', failureType: 'InvalidInput' },
  /** The network gateway of sandboxes does not run; the message contains what it said. */
  GatewayFailed: { kind: 'away', failureType: 'SandboxUnavailable' },
  /** The image has no interpreter for a language. */
  InterpreterMissing: noImage,
  ImageMissing: noImage,
  /** The container host does not know the runtime that the settings name. */
  RuntimeMissing: noImage,
  SeccompUnreadable: noImage,
  /** The base image could be neither pulled nor built on this machine. */
  BaseImageUnavailable: noImage,
  DebootstrapMissing: noImage,
  ImageBuild: noImage,
} satisfies Record<string, Cause>;

export type SandboxErrorCode = keyof typeof causes;

/** What stops work in sandboxes. */
export class SandboxError extends LonghaulError<SandboxErrorCode> {
  constructor(code: SandboxErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { code, ...causes[code], ...options });
  }
}

/** Whether something is a `SandboxError` with one of these codes. */
export function isSandboxError(error: unknown, ...codes: SandboxErrorCode[]): error is SandboxError {
  return error instanceof SandboxError && codes.includes(error.code);
}

export function nestedRepositories(paths: string[]): SandboxError {
  return new SandboxError(
    'NestedRepository',
    `Expected no git repositories inside the workspace, found: ${paths.join(', ')}. Remove the .git of each to keep its files, or list them in .gitignore.`,
  );
}
