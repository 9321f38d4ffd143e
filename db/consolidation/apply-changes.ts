import type { Database } from '../connection/database.ts';
import { readerOf } from '../memory/consolidation/same-audience.ts';
import type { Memory, NewMemory } from '../memory/memory.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import { leastTrusted } from '../memory/origin.ts';
import { isAdmitted, type StoredMemory } from '../memory/visibility/admitted.ts';
import { type MemoryChangeRow, mergeIdOf, readChanges, setChangeStatus, setTagsAdded } from './changes.ts';
import { createRanges } from './create-ranges.ts';

export interface ConsolidationStores {
  database: Database;
  memory: MemoryStore;
}

/** Changes applied per batch. */
export const changesOfBatch = 500;

/** Applies the changes that an earlier attempt decided on and may not have finished. */
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
 * Applies recorded changes to the memories and marks them as applied; idempotent. Returns how many were applied. Marks a change as undone if it is no
 * longer possible: one of its memories was forgotten, the text of a merged one has changed, the memory that was to stay has expired, or a source of a
 * summary is no longer current.
 */
export async function applyChanges(stores: ConsolidationStores, changes: readonly MemoryChangeRow[]): Promise<number> {
  const { database, memory } = stores;
  const ids = changes.flatMap(({ memoryId, sources }) => [memoryId, ...sources]);
  const known = new Map((await memory.get([...new Set(ids)])).map((one) => [one.id, one]));
  const isCurrent = createIsCurrent(database);
  const possible: MemoryChangeRow[] = [];
  for (const change of changes) if (await isPossible(change, known, isCurrent)) possible.push(change);
  await applyMerges(
    stores,
    possible.filter(({ kind }) => kind === 'merge'),
    known,
  );
  for (const change of possible.filter(({ kind }) => kind === 'summary')) await applySummary(memory, change, known);
  const impossible = changes.filter((change) => !possible.includes(change));
  await setChangeStatus(database, idsOf(possible), 'applied');
  await setChangeStatus(database, idsOf(impossible), 'undone');
  return possible.length;
}

async function isPossible(
  { id, kind, memoryId, sources }: MemoryChangeRow,
  known: ReadonlyMap<string, StoredMemory>,
  isCurrent: (memory: StoredMemory) => Promise<boolean>,
): Promise<boolean> {
  const by = known.get(memoryId);
  for (const source of sources) {
    const memory = known.get(source);
    if (!memory) return false;
    const isStillSo =
      kind === 'summary'
        ? memory.supersededBy === memoryId || (await isCurrent(memory))
        : by !== undefined && !(by.expiresAt && by.expiresAt <= new Date()) && mergeIdOf(memory, by) === id;
    if (!isStillSo) return false;
  }
  return true;
}

/** Creates a check whether a memory's readers still find it. */
function createIsCurrent(database: Database): (memory: StoredMemory) => Promise<boolean> {
  const rangesOf = createRanges(database);
  return async (memory) => isAdmitted(memory, { scope: readerOf(memory, await rangesOf(memory)) }, new Date());
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
    // Recorded first, so that an undo can remove these tags again.
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
  const summary = toSummary(change, sources);
  await memory.remember([summary]);
  if (change.replaces) await memory.replace(sources.map(({ id }) => ({ id, by: summary })));
}

/**
 * The summary as a memory with the readers of its sources. It has the lineage position of the latest source, so that a revert removes both together.
 */
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
    origin: leastTrusted(sources.map(({ origin }) => origin)),
  };
}

function idsOf(changes: readonly MemoryChangeRow[]): string[] {
  return changes.map(({ id }) => id);
}
