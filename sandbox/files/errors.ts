/** A file tool was called on something it cannot handle; the message tells the model what to do instead. */
export class FileToolError extends Error {
  override name = 'FileToolError';
}

/** The path leads out of the workspace. */
export class PathOutsideWorkspaceError extends FileToolError {
  override name = 'PathOutsideWorkspaceError';
}
