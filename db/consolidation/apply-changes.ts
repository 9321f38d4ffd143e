import type { Database } from '../database.ts';
import type { Memory, NewMemory } from '../memory/memory.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import { type MemoryChangeRow, mergeIdOf, readChanges, setChangeStatus, setTagsAdded } from './changes.ts';

export interface ConsolidationStores {
  database: Database;
  memory: MemoryStore;
}

/** Changes that are applied at once. */
export const changesOfBatch = 500;

/** Does what an earlier attempt had decided and maybe not finished. */
export async function settleChanges(stores: ConsolidationStores, consolidationId?: string): Promise<void> {
  for (;;) {
    const rows = await readChanges(stores.database, {
      ...(consolidationId !== undefined && { consolidationId }),
      statuses: ['applying'],
      limit: changesOfBatch,
    });
    if (!rows.length) return;
    await applyChanges(stores, rows);
  }
}

/**
 * Does in the memories what was written down, and writes down that it is done; may be done again. What can no longer be done, since one of
 * its memories was forgotten, or of a merge says something else by now, counts as undone.
 */
export async function applyChanges(stores: ConsolidationStores, changes: readonly MemoryChangeRow[]): Promise<void> {
  const { database, memory } = stores;
  const ids = changes.flatMap(({ memoryId, sources }) => [memoryId, ...sources]);
  const known = new Map((await memory.get([...new Set(ids)])).map((one) => [one.id, one]));
  const possible = changes.filter((change) => isPossible(change, known));
  await applyMerges(
    stores,
    possible.filter(({ kind }) => kind === 'merge'),
    known,
  );
  for (const change of possible.filter(({ kind }) => kind === 'summary')) await applySummary(memory, change, known);
  const impossible = changes.filter((change) => !possible.includes(change));
  await setChangeStatus(database, idsOf(possible), 'applied');
  await setChangeStatus(database, idsOf(impossible), 'undone');
}

function isPossible({ id, kind, memoryId, sources }: MemoryChangeRow, known: ReadonlyMap<string, Memory>): boolean {
  const by = known.get(memoryId);
  return sources.every((source) => {
    const memory = known.get(source);
    return memory !== undefined && (kind === 'summary' || (by !== undefined && mergeIdOf(memory, by) === id));
  });
}

async function applyMerges(
  { database, memory }: ConsolidationStores,
  merges: readonly MemoryChangeRow[],
  known: ReadonlyMap<string, Memory>,
): Promise<void> {
  const tags = new Map<string, string[]>();
  for (const { id, memoryId, sources, tagsAdded } of merges) {
    const present = tags.get(memoryId) ?? known.get(memoryId)?.tags ?? [];
    const wanted = sources.flatMap((source) => known.get(source)?.tags ?? []);
    const added = [...new Set(wanted)].filter((tag) => !present.includes(tag));
    if (!added.length) continue;
    tags.set(memoryId, [...present, ...added]);
    // Written first: what an undo takes away again.
    await setTagsAdded(database, id, [...new Set([...tagsAdded, ...added])]);
  }
  await memory.retag([...tags].map(([id, all]) => ({ id, tags: all })));
  const pairs = merges.flatMap(({ memoryId, sources }) => {
    const by = known.get(memoryId);
    return by ? sources.map((id) => ({ id, by })) : [];
  });
  await memory.replace(pairs);
}

async function applySummary(
  memory: MemoryStore,
  change: MemoryChangeRow,
  known: ReadonlyMap<string, Memory>,
): Promise<void> {
  const sources = change.sources.flatMap((id) => known.get(id) ?? []);
  await memory.remember([toSummary(change, sources)]);
  if (change.replaces) await memory.supersede(change.sources, change.memoryId);
}

/** The summary as a memory of those who read its sources; it stands where the last of them stands, and a revert takes it along with that. */
function toSummary({ memoryId, text, consolidationId }: MemoryChangeRow, sources: readonly Memory[]): NewMemory {
  const [first] = sources;
  if (!first || text === null) throw new Error(`Expected the summary "${memoryId}" to have a text and sources.`);
  const last = sources
    .filter(({ lineageId }) => lineageId !== undefined)
    .reduce<Memory | undefined>(
      (one, other) => ((other.sequence ?? 0) > (one?.sequence ?? -1) ? other : one),
      undefined,
    );
  return {
    id: memoryId,
    text,
    kind: 'summary',
    scope: first.scope,
    projectId: first.projectId,
    sessionId: first.sessionId,
    lineageId: last?.lineageId,
    sequence: last?.sequence,
    tags: first.tags.filter((tag) => sources.every(({ tags }) => tags.includes(tag))),
    importance: Math.max(...sources.map(({ importance }) => importance)),
    source: { id: consolidationId },
  };
}

function idsOf(changes: readonly MemoryChangeRow[]): string[] {
  return changes.map(({ id }) => id);
}
