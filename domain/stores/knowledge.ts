import type { Purgeable } from './purge.ts';
import type { Scope } from './scope.ts';

/** What a fact is about. */
export const factTypes = ['user', 'project', 'preference', 'context', 'custom'] as const;
export type FactType = (typeof factTypes)[number];

/** Where something that is known came from. */
export interface KnowledgeSource {
  /** Id of a message, a file or whatever else it was. */
  id?: string | undefined;
  run?: string | undefined;
  /** The message's number in its run. */
  message?: number | undefined;
  commit?: string | undefined;
}

export interface NewFact {
  /** Writing a fact again under its id replaces it. */
  id?: string | undefined;
  text: string;
  type: FactType;
  /** 0 to 1; 1 if absent. */
  confidence?: number | undefined;
  source?: KnowledgeSource | undefined;
  /** Whom it is about. */
  person?: string | undefined;
  /** Who finds it; `global` if absent. */
  scope?: Scope | undefined;
  tags?: string[] | undefined;
  createdAt?: Date | undefined;
  /** From then on it is no longer found. */
  expiresAt?: Date | undefined;
}

export interface Fact {
  id: string;
  text: string;
  type: FactType;
  confidence: number;
  source: KnowledgeSource;
  person: string | null;
  scope: Scope;
  tags: string[];
  createdAt: Date;
  expiresAt: Date | null;
  /** The fact that says it now. */
  supersededBy: string | null;
}

export interface FoundFact extends Fact {
  /** How well it fits, 0 to about 1; comparable only within one search. */
  score: number;
}

/** What of a fact can be changed; absent fields stay as they are. */
export interface FactChange {
  text?: string | undefined;
  confidence?: number | undefined;
  tags?: string[] | undefined;
  expiresAt?: Date | undefined;
}

/** Which facts are considered at all. */
export interface FactFilter {
  /** Who reads: sees what is global, and what is the project's and the session's. Everything if absent. */
  reader?: { project?: string | undefined; session?: string | undefined } | undefined;
  types?: FactType[] | undefined;
  person?: string | undefined;
  /** Only those that have all of these tags. */
  tags?: string[] | undefined;
  minConfidence?: number | undefined;
}

export interface NewSummary {
  id?: string | undefined;
  text: string;
  /** What it sums up: a conversation, a project, or what is global. */
  scope: Scope;
  person?: string | undefined;
  /** Ids of what it covers. */
  source?: KnowledgeSource | undefined;
  createdAt?: Date | undefined;
}

export interface Summary {
  id: string;
  text: string;
  scope: Scope;
  person: string | null;
  source: KnowledgeSource;
  createdAt: Date;
}

/** What is known, found by its meaning and its words. Ids that no fact has are refused with a `StoreError` (`UnknownFact`). */
export interface KnowledgeStore extends Purgeable {
  /** @throws {StoreError} `InvalidInput` if it has no text, seems to hold a secret, or its confidence is not from 0 to 1. */
  addFact(fact: NewFact): Promise<Fact>;
  getFact(id: string): Promise<Fact>;
  /** Newest first; 100 if there is no limit. */
  facts(filter?: FactFilter & { limit?: number | undefined }): Promise<Fact[]>;
  /** @throws {StoreError} as `addFact`. */
  changeFact(id: string, change: FactChange): Promise<Fact>;
  /** Marks a fact as superseded by another one: it stays, but is no longer found. */
  supersede(id: string, by: string): Promise<void>;
  /** For good; false if there was none. */
  forget(id: string): Promise<boolean>;
  /** Best first; 10 if there is no limit. */
  search(question: string, filter?: FactFilter & { limit?: number | undefined }): Promise<FoundFact[]>;
  /** @throws {StoreError} as `addFact`. */
  addSummary(summary: NewSummary): Promise<Summary>;
  /** Newest first. */
  summaries(filter?: Pick<FactFilter, 'reader' | 'person'> & { limit?: number | undefined }): Promise<Summary[]>;
}
