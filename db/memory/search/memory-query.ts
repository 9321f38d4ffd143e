import type { Memory, MemoryFilter } from '../memory.ts';

export interface MemoryQuery extends MemoryFilter {
  query: string;
  /** Maximum number of memories; 10 if absent. */
  limit?: number | undefined;
  /** Maximum tokens of their texts together. */
  tokens?: number | undefined;
  /** Newer ones rank slightly above older ones that fit equally well; true if absent. */
  recency?: boolean | undefined;
  /** The same for important ones; true if absent. */
  importance?: boolean | undefined;
  /** Also considers what stands beside a hit in the same conversation; true if absent. */
  neighbours?: boolean | undefined;
  /** Returns each of several texts that are word for word the same; false if absent. */
  duplicates?: boolean | undefined;
  /** Prefers memories that say something new compared with those before them; false if absent. */
  diversity?: boolean | undefined;
}

/** How a search found a memory. */
export interface Finding {
  /** How well it fits, 0 to about 1; comparable only within one search. */
  score: number;
  /** What found it; `neighbour` if it only stands beside a hit. */
  why: 'vector' | 'text' | 'both' | 'neighbour';
  /** The cosine of its vector and the question's; absent if it was not among the nearest. */
  similarity?: number | undefined;
}

export type FoundMemory = Omit<Memory, 'recalledAt' | 'model'> & Finding;

/** Characters of a question that are considered; anything longer is a document, not a question. */
export const charactersOfQuestion = 2_000;
