import type { MemoryChangeStatus } from '../../domain/memory/consolidation.ts';
import { DatabaseError } from '../database-error.ts';
import { applyChanges, type ConsolidationStores } from './apply-changes.ts';
import { findChangesOf, type MemoryChangeRow, readMergesInto, setChangeStatus } from './changes.ts';

/**
 * Makes a change that was proposed or undone, or all that a consolidation proposed and that is still possible. With `replace`, a summary supersedes
 * its sources. Returns the number of changes made.
 * @throws {DatabaseError} `UnknownConsolidation` or `MemoryChangeState`
 */
export async function acceptChanges(
  stores: ConsolidationStores,
  id: string,
  { replace = false }: { replace?: boolean | undefined } = {},
): Promise<number> {
  const fits = (status: MemoryChangeStatus) => status !== 'applied';
  return decide(stores, id, { fits, statuses: ['proposed', 'applying'], verb: 'be accepted' }, async (changes) => {
    await setChangeStatus(stores.database, idsOf(changes), 'applying', { replaces: replace });
    const decided = changes.map((change) => ({ ...change, replaces: replace }));
    const made = await applyChanges(stores, decided);
    if (made || changes.every((change) => change.id !== id)) return made;
    throw new DatabaseError(
      'MemoryChangeState',
      `Expected the memories of ${id} to be unchanged since the proposal, but one was replaced, changed or forgotten, or has expired. Nothing was changed, and the proposal counts as undone. \`longhaul memory consolidations show ${id}\` lists them.`,
    );
  });
}

/** Rejects a proposal, or all of a consolidation, for good. */
export async function rejectChanges(stores: ConsolidationStores, id: string): Promise<number> {
  const fits = (status: MemoryChangeStatus) => status === 'proposed' || status === 'rejected';
  return decide(stores, id, { fits, statuses: ['proposed'], verb: 'be rejected' }, async (changes) => {
    await setChangeStatus(stores.database, idsOf(changes), 'rejected');
    return changes.length;
  });
}

/**
 * Undoes a change, or all that a consolidation made; later consolidations do not make it again.
 * @throws {DatabaseError} `UnknownConsolidation` or `MemoryChangeState`
 */
export async function undoChanges(stores: ConsolidationStores, id: string): Promise<number> {
  const fits = (status: MemoryChangeStatus) => status === 'applied' || status === 'applying' || status === 'undone';
  return decide(stores, id, { fits, statuses: ['applied', 'applying'], verb: 'be undone' }, async (changes) => {
    for (const change of changes) {
      if (change.kind === 'merge') await undoMerge(stores, change);
      else await undoSummary(stores, change);
      await setChangeStatus(stores.database, [change.id], 'undone');
    }
    return changes.length;
  });
}

interface Decision {
  /** For a change named by its own id. */
  fits(status: MemoryChangeStatus): boolean;
  /** For the changes of a consolidation named by its id. */
  statuses: MemoryChangeStatus[];
  verb: string;
}

async function decide(
  stores: ConsolidationStores,
  id: string,
  { fits, statuses, verb }: Decision,
  act: (changes: MemoryChangeRow[]) => Promise<number>,
): Promise<number> {
  const { database } = stores;
  for (let count = 0; ; ) {
    const changes = await findChangesOf(database, id, statuses);
    const named = changes.find((change) => change.id === id);
    if (named && !fits(named.status)) {
      throw new DatabaseError(
        'MemoryChangeState',
        `Expected a change that can ${verb}; ${id} is ${named.status}. \`longhaul memory consolidations show ${id}\` shows it.`,
      );
    }
    if (changes.length) count += await act(changes);
    if (named || !changes.length) return count;
  }
}

async function undoMerge({ database, memory }: ConsolidationStores, change: MemoryChangeRow): Promise<void> {
  const { id, memoryId, sources, tagsAdded } = change;
  await memory.restore(sources, memoryId);
  if (!tagsAdded.length) return;
  const others = (await readMergesInto(database, [memoryId])).filter((other) => other.id !== id);
  const stillMerged = await memory.get(others.flatMap((other) => other.sources));
  const needed = new Set(stillMerged.flatMap(({ tags }) => tags));
  const [stays] = await memory.get([memoryId]);
  if (!stays) return;
  await memory.retag([{ id: memoryId, tags: stays.tags.filter((tag) => !tagsAdded.includes(tag) || needed.has(tag)) }]);
}

/** Expires the summary rather than deleting it, so that it stays as history. */
async function undoSummary({ memory }: ConsolidationStores, { memoryId, sources }: MemoryChangeRow): Promise<void> {
  await memory.restore(sources, memoryId);
  await memory.change(memoryId, { expiresAt: new Date() });
}

function idsOf(changes: readonly MemoryChangeRow[]): string[] {
  return changes.map(({ id }) => id);
}
