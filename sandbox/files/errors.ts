/** A file tool was used on what it cannot work on; the message is for the model and says what to do instead. */
export class FileToolError extends Error {
  override name = 'FileToolError';
}

/** The path leads out of the workspace. */
export class PathOutsideWorkspaceError extends FileToolError {
  override name = 'PathOutsideWorkspaceError';
}
