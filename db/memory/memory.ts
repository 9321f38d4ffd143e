import type { LineageRange } from '../../domain/project/lineage-range.ts';
import type { FactType } from '../../domain/stores/knowledge.ts';
import type { MemoryOrigin } from './origin.ts';

/** Kinds of memories; programs may use their own. */
export type MemoryKind = 'fact' | 'summary' | 'lesson' | 'decision' | 'turn' | 'document' | (string & {});

/** Who finds a memory: everyone, its project, or its session (a chat is one). */
export type MemoryScope = 'global' | 'project' | 'session';

/** Where a memory came from. Memories of neighbouring messages in one run form a conversation. */
export interface MemorySource {
  /** Id of a decision, session or file. */
  id?: string | undefined;
  run?: string | undefined;
  /** The message's number in its run. */
  message?: number | undefined;
  commit?: string | undefined;
}

export interface NewMemory {
  /** Chosen by the caller: writing a memory again under its id replaces it. */
  id: string;
  text: string;
  kind: MemoryKind;
  scope: MemoryScope;
  /** The project that it belongs to or, if it is global, came from. */
  projectId?: string | undefined;
  /** Required if the scope is `session`. */
  sessionId?: string | undefined;
  /** Its place in the project's lineage; without one, it stays when the project is reverted. */
  lineageId?: string | undefined;
  sequence?: number | undefined;
  tags?: string[] | undefined;
  source?: MemorySource | undefined;
  /** `agent` if absent. */
  origin?: MemoryOrigin | undefined;
  /** 0 to 1; 0.5 if absent. */
  importance?: number | undefined;
  /** Of a fact: what it is about. */
  factType?: FactType | undefined;
  /** Of a fact: how sure it is, 0 to 1; unknown if absent. */
  confidence?: number | undefined;
  /** Whom it is about. */
  person?: string | undefined;
  createdAt?: Date | undefined;
  /** From then on it is no longer found. */
  expiresAt?: Date | undefined;
}

/** What may be changed in a memory; absent fields stay as they are. */
export interface MemoryChange extends Pick<NewMemory, 'tags' | 'importance' | 'expiresAt' | 'confidence'> {
  text?: string | undefined;
  kind?: MemoryKind | undefined;
  /** Promotes a memory of a project or session, so that everyone finds it. */
  scope?: 'global' | undefined;
}

export interface Memory extends NewMemory {
  tags: string[];
  source: MemorySource;
  origin: MemoryOrigin;
  importance: number;
  createdAt: Date;
  /** When a search last returned it; written with a delay. */
  recalledAt?: Date | undefined;
  /** The memory that superseded it. It stays as history. */
  supersededBy?: string | undefined;
  /** The model of its vector; absent if it has none yet. */
  model?: string | undefined;
}

/** Who reads: decides which memories are visible. */
export interface Reader {
  /** A project, seen from its present lineage. */
  project?: { id: string; ranges: LineageRange[] } | undefined;
  sessionId?: string | undefined;
  /**
   * The branch in which a chat reads: its runs, each with the last message seen. A note for the chat alone from another branch is not visible, and
   * supersedes nothing that is. All branches if absent.
   */
  branch?: LineageRange[] | undefined;
  /** `own`: those of the project and the session; `foreign`: global ones from elsewhere; both if absent. */
  reach?: 'own' | 'foreign' | undefined;
}

/** Which memories are considered at all. */
export interface MemoryFilter {
  /** `everything` is for the operator of the store: regardless of scope and lineage. */
  scope: Reader | 'everything';
  kinds?: MemoryKind[] | undefined;
  /** Only those that have all of these tags. */
  tags?: string[] | undefined;
  factTypes?: FactType[] | undefined;
  minConfidence?: number | undefined;
  /** About this person. */
  person?: string | undefined;
  /** Of this project, or of one of these sessions, whatever their scope and lineage. */
  belongsTo?:
    | { projectId?: string | undefined; person?: string | undefined; sessionIds?: string[] | undefined }
    | undefined;
  /** Created at or after. */
  after?: Date | undefined;
  /** Created before. */
  before?: Date | undefined;
  /** Includes expired and superseded memories. */
  history?: boolean | undefined;
}

/** A memory's place in the order of creation. */
export interface MemoryCursor {
  /** Milliseconds since 1970, since a cursor travels through workflows as JSON. */
  createdAt: number;
  id: string;
}

/** With an offset, concurrent writes cause missed or repeated entries; a cursor avoids that. */
export interface MemoryPage {
  limit?: number;
  offset?: number;
  after?: MemoryCursor | undefined;
}
