import type { LineageRange } from '../lineage-range.ts';

/** What a memory is; programs may have kinds of their own. */
export type MemoryKind = 'fact' | 'summary' | 'lesson' | 'decision' | 'turn' | 'document' | (string & {});

/** Who finds a memory: everyone, its project, or its session (a chat is one). */
export type MemoryScope = 'global' | 'project' | 'session';

/** Where a memory came from. Memories with neighbouring messages of one run stand for a conversation. */
export interface MemorySource {
  /** A decision's, session's or file's id. */
  id?: string | undefined;
  run?: string | undefined;
  /** The message's number in its run. */
  message?: number | undefined;
  commit?: string | undefined;
}

export interface NewMemory {
  /** Chosen by the caller: a memory written again under its id replaces itself. */
  id: string;
  text: string;
  kind: MemoryKind;
  scope: MemoryScope;
  /** The project that it belongs to, or, where it is global, came from. */
  projectId?: string | undefined;
  /** Needed where the scope is `session`. */
  sessionId?: string | undefined;
  /** Its place in the project's lineage; without one it stays when the project is reverted. */
  lineageId?: string | undefined;
  sequence?: number | undefined;
  tags?: string[] | undefined;
  source?: MemorySource | undefined;
  /** 0 to 1; 0.5 where absent. */
  importance?: number | undefined;
  createdAt?: Date | undefined;
  /** It is found no more from then on. */
  expiresAt?: Date | undefined;
}

/** What of a memory may be changed while the rest of it stays; what is absent stays too. */
export interface MemoryChange extends Pick<NewMemory, 'tags' | 'importance' | 'expiresAt'> {
  text?: string | undefined;
  kind?: MemoryKind | undefined;
}

export interface Memory extends NewMemory {
  tags: string[];
  source: MemorySource;
  importance: number;
  createdAt: Date;
  /** When a search last gave it; written with delay. */
  recalledAt?: Date | undefined;
  /** The memory that took its place. It stays as history. */
  supersededBy?: string | undefined;
  /** The model that its vector is of; absent where it has none yet. */
  model?: string | undefined;
}

/** Whose memories are meant. */
export interface Reader {
  /** A project, seen from its present lineage. */
  project?: { id: string; ranges: LineageRange[] } | undefined;
  sessionId?: string | undefined;
  /**
   * The branch in which a chat reads, as its runs and the last messages of them that it sees: what was noted for the chat alone in another
   * branch is not seen, nor does it take the place of what is. All branches where absent.
   */
  branch?: LineageRange[] | undefined;
  /** `own`: of the project and the session; `foreign`: global ones from elsewhere; both where absent. */
  reach?: 'own' | 'foreign' | undefined;
}

/** Which memories are meant, before any of them is looked at. */
export interface MemoryFilter {
  /** `everything` is for the operator of the store: no scope, no lineage. */
  scope: Reader | 'everything';
  kinds?: MemoryKind[] | undefined;
  /** Those that have all of these tags. */
  tags?: string[] | undefined;
  /** Created at or after. */
  after?: Date | undefined;
  /** Created before. */
  before?: Date | undefined;
  /** Those too that expired or that another one took the place of. */
  history?: boolean | undefined;
}

/** A memory's place in the order in which memories were created. */
export interface MemoryCursor {
  /** Milliseconds since 1970, since a cursor travels through workflows as JSON. */
  createdAt: number;
  id: string;
}

/** Offsets miss some, or give them twice, where memories are written meanwhile; a cursor does not. */
export interface MemoryPage {
  limit?: number;
  offset?: number;
  after?: MemoryCursor | undefined;
}
