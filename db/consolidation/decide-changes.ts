import { MemoryChangeStateError, UnknownConsolidationError } from '../errors.ts';
import { applyChanges, type ConsolidationStores, changesOfBatch } from './apply-changes.ts';
import { findChange, type MemoryChangeRow, readChanges, readMergesInto, setChangeStatus } from './changes.ts';
import { expectConsolidation } from './consolidations.ts';
import type { MemoryChangeStatus } from './status.ts';

/**
 * Does what was proposed, or what was undone; of a whole consolidation all that it proposed. `replace` lets a summary take the place of
 * what it sums up. Returns how many changes it was.
 * @throws {UnknownConsolidationError | MemoryChangeStateError}
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
    await applyChanges(stores, decided);
  });
}

/** Turns a proposal down for good. */
export async function rejectChanges(stores: ConsolidationStores, id: string): Promise<number> {
  const fits = (status: MemoryChangeStatus) => status === 'proposed' || status === 'rejected';
  return decide(stores, id, { fits, statuses: ['proposed'], verb: 'be rejected' }, (changes) =>
    setChangeStatus(stores.database, idsOf(changes), 'rejected'),
  );
}

/**
 * Takes back what was done; of a whole consolidation all that it did. It is not done again by a later one.
 * @throws {UnknownConsolidationError | MemoryChangeStateError}
 */
export async function undoChanges(stores: ConsolidationStores, id: string): Promise<number> {
  const fits = (status: MemoryChangeStatus) => status === 'applied' || status === 'applying' || status === 'undone';
  return decide(stores, id, { fits, statuses: ['applied', 'applying'], verb: 'be undone' }, async (changes) => {
    for (const change of changes) {
      if (change.kind === 'merge') await undoMerge(stores, change);
      else await undoSummary(stores, change);
      await setChangeStatus(stores.database, [change.id], 'undone');
    }
  });
}

interface Decision {
  /** Of one change that was named itself. */
  fits(status: MemoryChangeStatus): boolean;
  /** Of those of a consolidation that was named. */
  statuses: MemoryChangeStatus[];
  verb: string;
}

async function decide(
  stores: ConsolidationStores,
  id: string,
  { fits, statuses, verb }: Decision,
  act: (changes: MemoryChangeRow[]) => Promise<void>,
): Promise<number> {
  const { database } = stores;
  const change = await findChange(database, id);
  if (change) {
    if (!fits(change.status)) {
      throw new MemoryChangeStateError(
        `Expected a change that can ${verb}; ${id} is ${change.status}. \`longhaul memory consolidations show ${id}\` tells more.`,
      );
    }
    await act([change]);
    return 1;
  }
  await expectConsolidation(database, id).catch((error: unknown) => {
    if (!(error instanceof UnknownConsolidationError)) throw error;
    throw new UnknownConsolidationError(
      `Expected the id of a consolidation or of one of its changes, got "${id}". \`longhaul memory consolidations list\` shows them.`,
    );
  });
  for (let count = 0; ; ) {
    const changes = await readChanges(database, { consolidationId: id, statuses, limit: changesOfBatch });
    if (!changes.length) return count;
    await act(changes);
    count += changes.length;
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

/** The summary stays as history. */
async function undoSummary({ memory }: ConsolidationStores, { memoryId, sources }: MemoryChangeRow): Promise<void> {
  await memory.restore(sources, memoryId);
  const [summary] = await memory.get([memoryId]);
  if (summary) await memory.remember([{ ...summary, expiresAt: new Date() }]);
}

function idsOf(changes: readonly MemoryChangeRow[]): string[] {
  return changes.map(({ id }) => id);
}
