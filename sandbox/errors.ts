/** The container host does not answer. Nothing is lost: retrying the call may succeed. */
export class ContainerHostUnavailableError extends Error {
  override name = 'ContainerHostUnavailableError';
}

/** The sandbox stopped while in use. Reopened, it still has its files, and commands that were running are `interrupted`. */
export class SandboxStoppedError extends Error {
  override name = 'SandboxStoppedError';
}

/** The sandbox is gone together with its files; work continues in a new one from the last checkpoint. */
export class SandboxLostError extends Error {
  override name = 'SandboxLostError';
}

/** The container host does not have the requested image. */
export class ImageMissingError extends Error {
  override name = 'ImageMissingError';
}

/** The part of the sandbox that holds the harness's records is full, so nothing can run in it. */
export class SandboxDiskFullError extends Error {
  override name = 'SandboxDiskFullError';
}

/** The sandbox did not do what the harness asked; the message contains its answer. */
export class SandboxFailureError extends Error {
  override name = 'SandboxFailureError';
}

/** A command could not be ended. */
export class CommandNotEndedError extends Error {
  override name = 'CommandNotEndedError';
}

/** The workspace already holds a commit other than the requested one. */
export class WorkspaceAlreadyLoadedError extends Error {
  override name = 'WorkspaceAlreadyLoadedError';
}

/** The workspace's `.git` lacks what the harness put there; `repairRepository` restores it without touching the files. */
export class WorkspaceRepositoryDamagedError extends Error {
  override name = 'WorkspaceRepositoryDamagedError';
}

/** The workspace contains nested git repositories, which a commit cannot hold. */
export class NestedInWorkspaceError extends Error {
  override name = 'NestedInWorkspaceError';
  readonly paths: string[];

  constructor(paths: string[]) {
    super(
      `Expected plain files in the workspace, found git repositories within it: ${paths.join(', ')}. Remove the .git of each to keep its files, or list them in .gitignore.`,
    );
    this.paths = paths;
  }
}

/** The workspace contains files or folders whose permissions stop its own user from reading them, so a commit cannot hold them. */
export class WorkspaceUnreadableError extends Error {
  override name = 'WorkspaceUnreadableError';
  readonly paths: string[];

  constructor(paths: string[]) {
    super(
      `Expected files in the workspace that can be read, found some whose permissions forbid it: ${paths.join(', ')}. Give them back with chmod u+rwX, remove what only a test needs (it can make it in a temporary folder), or list it in .gitignore.`,
    );
    this.paths = paths;
  }
}

/** The work since the base commit is larger than a snapshot may be. */
export class SnapshotTooLargeError extends Error {
  override name = 'SnapshotTooLargeError';
}

/** The sandbox's image has no interpreter for a language. */
export class InterpreterMissingError extends Error {
  override name = 'InterpreterMissingError';
}
