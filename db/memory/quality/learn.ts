import { isSameAudience } from '../consolidation/same-audience.ts';
import type { MemoryFilter, NewMemory, Reader } from '../memory.ts';
import type { FoundMemory, MemoryQuery } from '../search/memory-query.ts';
import { compareFacts } from './compare-facts.ts';

/** From this cosine on, texts that have the same numbers say the same; unlike facts of one sentence structure stay below it. */
const sameFrom = 0.97;

/** Older memories that a new one is held against. */
const compared = 10;

export interface Learned {
  /** The memory that says it now: the new one, or the older one that said the same. */
  id: string;
  outcome: 'added' | 'known';
  /** Facts that the new one took the place of. */
  superseded: string[];
}

interface Store {
  remember(memories: NewMemory[]): Promise<void>;
  search(query: MemoryQuery): Promise<FoundMemory[]>;
  supersede(ids: string[], by: string): Promise<void>;
}

/**
 * Writes a memory unless the same is known to the same readers, and lets a fact take the place of those that it contradicts. Written
 * again under its id, it only replaces itself.
 */
export async function learn(store: Store, memory: NewMemory, reader: Reader): Promise<Learned> {
  const near = await store.search({
    ...audienceOf(memory, reader),
    query: memory.text,
    limit: compared,
    neighbours: false,
  });
  const others = near.filter((other) => other.id !== memory.id && isSameAudience(other, memory));
  const isAgain = near.length !== others.length && near.some(({ id }) => id === memory.id);
  const known = isAgain ? undefined : others.find((other) => saysSame(other, memory.text));
  if (known) return { id: known.id, outcome: 'known', superseded: [] };
  await store.remember([memory]);
  const replaced =
    memory.kind === 'fact' ? others.filter((other) => compareFacts(other.text, memory.text) === 'contradicts') : [];
  const superseded = replaced.map(({ id }) => id);
  if (superseded.length) await store.supersede(superseded, memory.id);
  return { id: memory.id, outcome: 'added', superseded };
}

function audienceOf(memory: NewMemory, reader: Reader): MemoryFilter {
  return { scope: reader, kinds: [memory.kind] };
}

/** Whether a memory says what another text says: word for word, or by its vector with the same numbers. */
export function saysSame(
  { text, similarity = 0 }: { text: string; similarity?: number | undefined },
  other: string,
): boolean {
  const relation = compareFacts(text, other);
  return (
    relation === 'same' || (relation === 'other' && similarity >= sameFrom && numbersOf(text) === numbersOf(other))
  );
}

function numbersOf(text: string): string {
  return (text.match(/\d+/g) ?? []).join(' ');
}
