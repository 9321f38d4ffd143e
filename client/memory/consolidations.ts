import type { ReadSettings } from '../../config/load-configuration.ts';
import { type MemoryChangeRow, readChanges } from '../../db/consolidation/changes.ts';
import { type CountedConsolidation, listConsolidations } from '../../db/consolidation/consolidations.ts';
import { acceptChanges, rejectChanges, undoChanges } from '../../db/consolidation/decide-changes.ts';
import { findChangesOf } from '../../db/consolidation/find-changes-of.ts';
import type { Memory } from '../../db/memory/memory.ts';
import type { MemoryStore } from '../../db/memory/memory-store.ts';
import { resolveProject } from '../../db/projects.ts';
import type { ConsolidationOutcome } from '../../workflows/consolidate-memory-workflow.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { mendConsolidations } from './mend-consolidations.ts';
import { runConsolidation } from './run-consolidation.ts';

export type { ConsolidationOutcome } from '../../workflows/consolidate-memory-workflow.ts';

export interface ConsolidationRequest {
  /** A project's id, name, or start of an id: only its memories; all where absent. */
  project?: string | undefined;
  /** Merges nothing and asks no model: what would be merged is proposed. */
  dryRun?: boolean | undefined;
  /** The most summaries that are proposed; by the setting where absent, none where 0. */
  summaries?: number | undefined;
}

/** A change with the memories that it is about, as far as they are still there. */
export interface MemoryChange extends MemoryChangeRow {
  /** The memory that stays, or the summary once it was accepted. */
  memory: Memory | undefined;
  sourceMemories: Memory[];
}

/** Consolidations of the memories: what they merged and what they propose. */
export interface Consolidations {
  /**
   * Runs one, or joins the one of the same kind that runs, and waits for its end; it goes on if the caller ends.
   * @throws {NoWorkerError | ConsolidationFailedError | UnknownProjectError}
   */
  run(request?: ConsolidationRequest): Promise<ConsolidationOutcome>;
  /** Newest first, with how many changes they made of each kind and status. */
  list(limit?: number): Promise<CountedConsolidation[]>;
  /** Changes that wait to be accepted or rejected, oldest first. */
  proposals(limit?: number): Promise<MemoryChange[]>;
  /**
   * The changes of a consolidation, at most 500, or the one change that has the id.
   * @throws {UnknownConsolidationError}
   */
  show(id: string): Promise<MemoryChange[]>;
  /**
   * Does what a change proposes, or did before it was undone; of a consolidation all that it proposes. `replace` lets a summary take the
   * place of its sources. Returns how many changes it was.
   * @throws {UnknownConsolidationError | MemoryChangeStateError | SecretInMemoryError}
   */
  accept(id: string, options?: { replace?: boolean | undefined }): Promise<number>;
  /** Turns a proposal down, or all of a consolidation; it does not come again. */
  reject(id: string): Promise<number>;
  /** Takes back a change, or all of a consolidation; it is not made again. */
  undo(id: string): Promise<number>;
}

export interface ConsolidationDependencies {
  database: DatabaseAccess;
  temporal: TemporalAccess;
  taskQueue: string;
  settings: ReadSettings;
}

export function createConsolidations(deps: ConsolidationDependencies): Consolidations {
  const { database, settings } = deps;

  async function withMemories<Result>(work: (memory: MemoryStore) => Promise<Result>): Promise<Result> {
    const { openStore } = await import('./open-store.ts'); // with LanceDB, which few commands need
    const memory = await openStore(await settings());
    try {
      return await work(memory);
    } finally {
      await memory.close();
    }
  }

  async function describe(rows: MemoryChangeRow[]): Promise<MemoryChange[]> {
    const ids = [...new Set(rows.flatMap(({ memoryId, sources }) => [memoryId, ...sources]))];
    const found = new Map((await withMemories((memory) => memory.get(ids))).map((one) => [one.id, one]));
    return rows.map((row) => ({
      ...row,
      memory: found.get(row.memoryId),
      sourceMemories: row.sources.flatMap((id) => found.get(id) ?? []),
    }));
  }

  /** Decisions may be done again, so that an outage of the database costs another try. */
  const decide = (work: typeof rejectChanges, id: string) =>
    withMemories((memory) => database.use((query) => work({ database: query, memory }, id)));

  return {
    async run({ project, dryRun, summaries: given } = {}) {
      const projectId =
        project === undefined ? undefined : (await database.use((query) => resolveProject(query, project))).id;
      const summaries = given ?? (await settings()).memory.summaries;
      return runConsolidation(deps.temporal, deps.taskQueue, { projectId, dryRun, summaries });
    },
    async list(limit = 20) {
      const read = () => database.use((query) => listConsolidations(query, limit));
      const rows = await read();
      const running = rows.filter(({ status }) => status === 'running');
      return (await mendConsolidations(database, deps.temporal, running)) ? read() : rows;
    },
    proposals: async (limit = 100) =>
      describe(await database.use((query) => readChanges(query, { statuses: ['proposed'], limit }))),
    show: async (id) => describe(await database.use((query) => findChangesOf(query, id))),
    accept: (id, options) => decide((stores, named) => acceptChanges(stores, named, options), id),
    reject: (id) => decide(rejectChanges, id),
    undo: (id) => decide(undoChanges, id),
  };
}
