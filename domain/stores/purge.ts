/** What is to be removed or exported: all that is kept about a person or a project; `sessions` are the conversations that are theirs. */
export type Owner =
  | { person: string; sessions?: string[] | undefined }
  | { project: string; sessions?: string[] | undefined };

/** An owner's rows, or rows that were last used before a moment. */
export type PurgeSubject = Owner | { before: Date };

export const storeNames = ['memory', 'conversations', 'tasks', 'preferences', 'knowledge', 'audit'] as const;
export type StoreName = (typeof storeNames)[number];

/** One thing that a purge removed. */
export interface Removed {
  store: StoreName | 'project' | 'runs';
  /** Such as `task`. */
  kind: string;
  id: string;
  /** What it was, for a person: a title, a key. Never its content. */
  what: string;
  /** How many rows it was, if more than one. */
  rows?: number | undefined;
}

/** One thing of an export. */
export interface ExportedRow {
  store: StoreName | 'runs';
  kind: string;
  row: object;
}

/** What every store can do about all of an owner's rows. */
export interface Purgeable {
  /** Removes them in one act and lists them; with `dryRun`, only lists them. */
  purge(subject: PurgeSubject, options?: { dryRun?: boolean | undefined }): Promise<Removed[]>;
  /** The rows of an owner, or all. */
  export(owner?: Owner): AsyncIterable<ExportedRow>;
}
