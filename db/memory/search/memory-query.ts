import type { Memory, MemoryFilter } from '../memory.ts';

export interface MemoryQuery extends MemoryFilter {
  query: string;
  /** The most memories; 10 where absent. */
  limit?: number | undefined;
  /** The most tokens that their texts have together. */
  tokens?: number | undefined;
  /** Newer ones go a little before older ones that fit as well; true where absent. */
  recency?: boolean | undefined;
  /** Important ones likewise; true where absent. */
  importance?: boolean | undefined;
  /** What stands beside a hit in the same conversation is considered too; true where absent. */
  neighbours?: boolean | undefined;
  /** Texts that are word for word the same are each given, not once; false where absent. */
  duplicates?: boolean | undefined;
  /** Prefers memories that say something new beside those before them; false where absent. */
  diversity?: boolean | undefined;
}

/** How a search came to a memory. */
export interface Finding {
  /** How well it fits, 0 to about 1; comparable within one search only. */
  score: number;
  /** What found it; `neighbour` for one that stands beside a hit. */
  why: 'vector' | 'text' | 'both' | 'neighbour';
  /** The cosine of its vector and the question's; absent where it was not among the nearest. */
  similarity?: number | undefined;
}

export type FoundMemory = Omit<Memory, 'recalledAt' | 'model'> & Finding;

/** Characters of a question that are looked at; more would be a document, not a question. */
export const charactersOfQuestion = 2_000;
