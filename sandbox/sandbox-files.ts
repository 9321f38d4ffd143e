/** One operation on a file or folder of the workspace. */
export interface FileOperation {
  /** The tool-call id: a second operation with it returns the result of the first. */
  id: string;
  /** Relative to the workspace, or absolute below `/workspace`. */
  path: string;
  /** Aborting detaches from the operation; see `CommandRequest`. */
  detach?: AbortSignal;
}

export interface FileEntry {
  type: 'file' | 'folder' | 'link' | 'not-listed';
  /** Relative to the folder that was listed. */
  path: string;
  size: number;
  /** Of a link. */
  target?: string;
}

/** The workspace's files, for the tools of agents. Every operation throws a `SandboxError` FileRefused if the path cannot be used that way. */
export interface SandboxFiles {
  /** `limit` lines of a text file from line `offset` (1-based) on; `cutOff` if they reach `maxBytes`. */
  readLines(
    operation: FileOperation & { offset: number; limit: number; maxBytes: number },
  ): Promise<{ size: number; lineCount: number; text: string; cutOff: boolean }>;
  /** A whole file of at most `maxBytes`. */
  read(operation: FileOperation & { maxBytes: number }): Promise<Buffer>;
  /** Writes a whole file and creates its folders; on failure the file stays as it was. */
  write(operation: FileOperation & { content: string }): Promise<{ created: boolean }>;
  /** Replaces a file's content, unless it is neither `before` nor already `after`. */
  replace(operation: FileOperation & { before: Buffer; after: Buffer }): Promise<void>;
  /** The content of a folder, `depth` levels deep, without .git and what package managers install. */
  list(
    operation: FileOperation & { depth: number; limit: number; maxBytes: number },
  ): Promise<{ entries: FileEntry[]; more: boolean }>;
  /** The lines below a path that match a regular expression, as `path:line:text`, without files that .gitignore names. */
  search(
    operation: FileOperation & { pattern: string; glob?: string | undefined; limit: number; maxBytes: number },
  ): Promise<{ lines: string[]; more: boolean }>;
}
