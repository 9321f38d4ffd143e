/** The container host does not answer. Nothing is lost by it: the same call again may succeed. */
export class ContainerHostUnavailableError extends Error {
  override name = 'ContainerHostUnavailableError';
}

/** The sandbox stopped while it was in use. Opened again it has its files, and what ran in it is `interrupted`. */
export class SandboxStoppedError extends Error {
  override name = 'SandboxStoppedError';
}

/** The sandbox is gone with its files; the work goes on from the last checkpoint in a new one. */
export class SandboxLostError extends Error {
  override name = 'SandboxLostError';
}

/** The container host has no image of the name asked for. */
export class ImageMissingError extends Error {
  override name = 'ImageMissingError';
}

/** The part of the sandbox that holds the harness's own records is full, so that nothing can run in it. */
export class SandboxDiskFullError extends Error {
  override name = 'SandboxDiskFullError';
}

/** The sandbox did not do what the harness asked of it; the message holds what it answered. */
export class SandboxFailureError extends Error {
  override name = 'SandboxFailureError';
}

/** A command could not be ended. */
export class CommandNotEndedError extends Error {
  override name = 'CommandNotEndedError';
}

/** The workspace holds another commit than the one asked for. */
export class WorkspaceAlreadyLoadedError extends Error {
  override name = 'WorkspaceAlreadyLoadedError';
}

/** The workspace's `.git` lacks what the harness put there; `repairRepository` brings it back without touching the files. */
export class WorkspaceRepositoryDamagedError extends Error {
  override name = 'WorkspaceRepositoryDamagedError';
}

/** The workspace has repositories within it, which a commit cannot hold. */
export class NestedRepositoryError extends Error {
  override name = 'NestedRepositoryError';
  readonly paths: string[];

  constructor(paths: string[]) {
    super(
      `Expected plain files in the workspace, found git repositories within it: ${paths.join(', ')}. Remove the .git of each to keep its files, or list them in .gitignore.`,
    );
    this.paths = paths;
  }
}

/** The workspace has files or folders whose permissions keep its own user from reading them, so that a commit cannot hold them. */
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

/** The sandbox's image has nothing that runs code of a language. */
export class InterpreterMissingError extends Error {
  override name = 'InterpreterMissingError';
}
