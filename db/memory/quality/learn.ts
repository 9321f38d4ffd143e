import { isSameAudience } from '../consolidation/same-audience.ts';
import { endsBefore } from '../consolidation/stays-before.ts';
import type { Memory, MemoryFilter, NewMemory, Reader } from '../memory.ts';
import { mayReplace } from '../origin.ts';
import type { FoundMemory, MemoryQuery } from '../search/memory-query.ts';
import { compareFacts } from './compare-facts.ts';
import { expectText } from './expect-storable.ts';

/** Cosine from which texts with the same numbers and signs say the same; different facts in the same sentence structure stay below it. */
const sameFrom = 0.97;

/** Older memories that a new one is compared with. */
const compared = 10;

/** Nearest memories that are read; those that are meant for other readers are then left out. */
const maxCompared = 40;

export interface Learned {
  /** The memory that says it now: the new one, or an older one that said the same. */
  id: string;
  outcome: 'added' | 'known';
  /** Ids of the memories that the new one superseded. */
  superseded: string[];
}

interface Store {
  remember(memories: NewMemory[]): Promise<void>;
  get(ids: string[]): Promise<Memory[]>;
  search(query: MemoryQuery): Promise<FoundMemory[]>;
  supersede(ids: string[], by: string): Promise<void>;
}

/**
 * Writes a memory unless one with the same readers says the same, ends no earlier and is trusted as much. It supersedes others that say the same; a fact
 * also supersedes those that it contradicts. What pages or tools may have said supersedes nothing else. Writing it again under its id replaces it, unless it was superseded or forgotten meanwhile.
 * @throws {MemoryError} `EmptyMemory`
 */
export async function learn(store: Store, memory: NewMemory, reader: Reader): Promise<Learned> {
  expectText(memory);
  const [[own], near] = await Promise.all([
    store.get([memory.id]),
    store.search({
      ...audienceOf(memory, reader),
      query: memory.text,
      limit: maxCompared,
      neighbours: false,
      duplicates: true, // otherwise duplicates with other readers would hide the reader's own
    }),
  ]);
  if (own?.text === memory.text && isPast(own)) return { id: memory.id, outcome: 'added', superseded: [] };
  const others = near.filter((other) => other.id !== memory.id && isSameAudience(other, memory)).slice(0, compared);
  const same = others.filter((other) => saysSame(other, memory.text));
  const known = own ? undefined : same.find((other) => !endsBefore(other, memory) && mayReplace(other, memory));
  if (known) return { id: known.id, outcome: 'known', superseded: [] };
  await store.remember([memory]);
  const contradicted =
    memory.kind === 'fact' ? others.filter((other) => compareFacts(other.text, memory.text) === 'contradicts') : [];
  const superseded = [...same, ...contradicted].filter((other) => mayReplace(memory, other)).map(({ id }) => id);
  if (superseded.length) await store.supersede(superseded, memory.id);
  return { id: memory.id, outcome: 'added', superseded };
}

function audienceOf(memory: NewMemory, reader: Reader): MemoryFilter {
  const isForeign = memory.scope === 'global' && (!reader.project || memory.projectId !== reader.project.id);
  return { scope: { ...reader, reach: isForeign ? 'foreign' : 'own' }, kinds: [memory.kind] };
}

/** Whether it was superseded or forgotten, and so must not come back. */
function isPast({ supersededBy, expiresAt }: Memory): boolean {
  return supersededBy !== undefined || (expiresAt !== undefined && expiresAt <= new Date());
}

/** Whether a memory says the same as another text: word for word, or by its vector with the same numbers and signs. */
export function saysSame(
  { text, similarity = 0 }: { text: string; similarity?: number | undefined },
  other: string,
): boolean {
  const relation = compareFacts(text, other);
  return relation === 'same' || (relation === 'other' && similarity >= sameFrom && valuesOf(text) === valuesOf(other));
}

/** Numbers, what directly precedes them, and signs: a vector hardly distinguishes 5 from -5, "<" from ">" or "C" from "C++". */
function valuesOf(text: string): string {
  return (text.match(values) ?? []).join(' ');
}

const values = /(?<![\p{L}\p{N}])[-−.]+(?=\d)|\d+|[+#<>=≤≥≠%*/^~$€£&|@]+/gu;
