import { applyChanges, type ConsolidationStores, settleChanges } from '../../db/consolidation/apply-changes.ts';
import { findProposedKeepers, writeMerges } from '../../db/consolidation/changes.ts';
import {
  beginConsolidation,
  countChanges,
  endConsolidation,
  expectConsolidation,
  type NewConsolidation,
} from '../../db/consolidation/consolidations.ts';
import { createRanges } from '../../db/consolidation/create-ranges.ts';
import { findRepeats } from '../../db/memory/consolidation/find-repeats.ts';
import type { MemoryCursor } from '../../db/memory/memory.ts';
import type { ChangeCount, ConsolidationStatus } from '../../domain/memory/consolidation.ts';
import type { Dependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** Memories per batch: a few seconds of work, which is all that a worker's death costs. */
const memoriesOfBatch = 400;

export interface RepeatsBatch {
  consolidation: string;
  /** The last memory of the previous batch. */
  after?: MemoryCursor;
  /** How many seeds of summaries are wanted. */
  seeds: number;
}

export interface RepeatsOutcome {
  /** Absent if no memories are left. */
  next?: MemoryCursor;
  looked: number;
  seeds: string[];
}

export interface EndOfConsolidation {
  consolidation: string;
  status: ConsolidationStatus;
  looked: number;
  remark?: string;
}

/** The activities of a consolidation that ask no model; each is keyed by the consolidation's id, which its workflow chose. */
export function createConsolidationActivities({ database, memory }: Pick<Dependencies, 'database' | 'memory'>) {
  const stores: ConsolidationStores = { database, memory };
  return {
    async beginConsolidation(input: NewConsolidation): Promise<void> {
      await beginConsolidation(database, input);
    },
    /** Merges duplicates in the next batch of memories. The changes are recorded before they are applied, so that another attempt can finish them. */
    mergeRepeats: (input: RepeatsBatch): Promise<RepeatsOutcome> =>
      withHeartbeat(({ cancel, detach }) => mergeRepeats(stores, input, AbortSignal.any([cancel, detach]))),
    async endConsolidation({ consolidation: id, ...end }: EndOfConsolidation): Promise<ChangeCount[]> {
      await endConsolidation(database, { id, ...end });
      return (await countChanges(database, [id])).map(({ id: _, ...count }) => count);
    },
  };
}

async function mergeRepeats(
  stores: ConsolidationStores,
  input: RepeatsBatch,
  signal: AbortSignal,
): Promise<RepeatsOutcome> {
  const { database, memory } = stores;
  const consolidation = await expectConsolidation(database, input.consolidation);
  const { id, projectId, since, dryRun } = consolidation;
  await settleChanges(stores, input.after ? id : undefined); // the first batch also completes a stopped consolidation
  const page = await memory.walk({
    after: input.after,
    projectId: projectId ?? undefined,
    since: since ?? undefined,
    limit: memoriesOfBatch,
  });
  const { repeats, seeds } = await findRepeats(memory, page, {
    rangesOf: createRanges(database),
    keepersOf: async (ids) => (dryRun ? findProposedKeepers(database, id, ids) : new Map()),
    signal,
  });
  const changes = await writeMerges(database, consolidation, repeats);
  if (!dryRun) await applyChanges(stores, changes);
  const last = page.at(-1);
  return {
    ...(last && page.length === memoriesOfBatch && { next: { createdAt: last.createdAt.getTime(), id: last.id } }),
    looked: page.length,
    seeds: seeds.slice(0, input.seeds),
  };
}
