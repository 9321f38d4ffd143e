import type { LineageRange } from '../../../domain/project/lineage-range.ts';
import { saysSame } from '../quality/learn.ts';
import type { ConsolidationAccess, NearMemory, VectorMemory } from './consolidation-access.ts';
import { isInLineage } from './same-audience.ts';
import { staysBefore } from './stays-before.ts';

/** Memories that each one is compared with, as many as in `learn`. */
const compared = 10;

/** Memories looked up concurrently. */
const together = 8;

/** Cosine from which two memories are about the same matter; unrelated texts have 0.0 to 0.3. */
const relatedFrom = 0.5;

/** Related memories that make a summary worthwhile. */
export const minRelated = 3;

type IdAndText = Pick<NearMemory, 'id' | 'text'>;

export interface Repeat {
  memory: IdAndText;
  /** The memory that stays. */
  by: IdAndText;
}

export interface RepeatsOfPage {
  repeats: Repeat[];
  /** Ids of the memories on the page that have enough related ones for a summary. */
  seeds: string[];
}

/**
 * Finds the memories of a page, oldest first, that say the same as one that stays. A memory gives way to an older one or, if they expire, to the one
 * that lives longest. `keepersOf` returns the replacements that earlier pages decided on without applying them (a dry run).
 */
export async function findRepeats(
  access: Pick<ConsolidationAccess, 'near' | 'getWithVectors'>,
  page: readonly VectorMemory[],
  options: {
    rangesOf(memory: VectorMemory): Promise<LineageRange[]>;
    keepersOf(ids: string[]): Promise<ReadonlyMap<string, string>>;
    signal: AbortSignal;
  },
): Promise<RepeatsOfPage> {
  /** The memories of this page that give way, each with the one that stays. */
  const gone = new Map<string, string>();
  const ofPage = new Map(page.map((memory) => [memory.id, memory]));
  const repeats: Repeat[] = [];
  const seeds: string[] = [];
  const grouped = new Set<string>();
  for (let from = 0; from < page.length; from += together) {
    options.signal.throwIfAborted();
    const chunk = page.slice(from, from + together);
    const found = await Promise.all(chunk.map((memory) => findNear(memory)));
    for (const [index, memory] of chunk.entries()) {
      const near = found[index];
      if (!near) continue;
      const by = await findKeeper(memory, near);
      if (by) {
        gone.set(memory.id, by.id);
        repeats.push({ memory, by });
      } else if (!grouped.has(memory.id) && isRelated(near)) {
        seeds.push(memory.id);
        for (const { id } of near) grouped.add(id);
      }
    }
  }
  return { repeats, seeds };

  async function findNear(memory: VectorMemory): Promise<NearMemory[] | undefined> {
    const ranges = await options.rangesOf(memory);
    return isInLineage(memory, ranges) ? access.near(memory, ranges, { limit: compared, staying: true }) : undefined;
  }

  async function findKeeper(memory: VectorMemory, near: NearMemory[]): Promise<NearMemory | undefined> {
    const stay = await withKeepers(memory, near);
    const same = stay.filter((other) => staysBefore(other, memory) && saysSame(other, memory.text));
    return same.sort((left, right) => (staysBefore(left, right) ? -1 : 1))[0];
  }

  /** The memories that stay; in place of the others, the ones that they give way to. */
  async function withKeepers(memory: VectorMemory, near: NearMemory[]): Promise<NearMemory[]> {
    const earlier = await options.keepersOf(near.map(({ id }) => id));
    const keeperOf = (id: string) => gone.get(id) ?? earlier.get(id);
    const keepers = new Set<string>();
    for (const { id } of near) {
      let stays = id;
      for (let by = keeperOf(id); by !== undefined; by = keeperOf(by)) stays = by;
      if (stays !== id) keepers.add(stays);
    }
    const stay = near.filter(({ id }) => keeperOf(id) === undefined);
    const missing = [...keepers].filter((id) => !stay.some((other) => other.id === id));
    const known = missing.flatMap((id) => ofPage.get(id) ?? []);
    const others = await access.getWithVectors(missing.filter((id) => !ofPage.has(id)));
    return [...stay, ...[...known, ...others].map((other) => ({ ...other, similarity: cosine(memory, other) }))];
  }
}

/** A seed and the memories related to it, itself first. */
export function relatedTo(seed: VectorMemory, near: readonly NearMemory[]): NearMemory[] {
  return [seed, ...near.filter(isNear)];
}

function isRelated(near: readonly NearMemory[]): boolean {
  return near.filter(isNear).length >= minRelated;
}

function isNear({ similarity = 0 }: NearMemory): boolean {
  return similarity >= relatedFrom;
}

function cosine(left: VectorMemory, right: VectorMemory): number {
  if (!left.vector || !right.vector || left.model !== right.model) return 0;
  const other = right.vector;
  return left.vector.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
