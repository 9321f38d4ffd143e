import type { ReadSettings } from '../../config/load-configuration.ts';
import { findChangesOf, readChanges } from '../../db/consolidation/changes.ts';
import { listConsolidations } from '../../db/consolidation/consolidations.ts';
import { acceptChanges, rejectChanges, undoChanges } from '../../db/consolidation/decide-changes.ts';
import type { Memory } from '../../db/memory/memory.ts';
import type { MemoryStore } from '../../db/memory/memory-store.ts';
import { resolveProject } from '../../db/project/projects.ts';
import type {
  ConsolidationChange,
  ConsolidationInput,
  ConsolidationOutcome,
  CountedConsolidation,
} from '../../domain/memory/consolidation.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { ClientError } from '../errors.ts';
import { expectWorker, whyItFailed } from '../project/expect-worker.ts';
import { endAbandonedConsolidations } from './end-abandoned-consolidations.ts';

export type { ConsolidationOutcome } from '../../domain/memory/consolidation.ts';

export interface ConsolidationRequest {
  /** A project's id, name, or start of an id, to consolidate only its memories; all memories if absent. */
  project?: string | undefined;
  /** Merges nothing and asks no model, but proposes what would be merged. */
  dryRun?: boolean | undefined;
  /** Most summaries to propose; the setting's value if absent, none if 0. */
  summaries?: number | undefined;
}

/** A change with the memories it concerns, as far as they still exist. */
export interface MemoryChange extends ConsolidationChange {
  /** The memory that stays after a merge, or an accepted summary. */
  memory: Memory | undefined;
  sourceMemories: Memory[];
}

/** Consolidations of the memories: what they merged and what they propose. */
export interface Consolidations {
  /**
   * Runs a consolidation, or joins a running one of the same kind, and waits for its end; it continues even if the caller goes away.
   * @throws {ClientError | DatabaseError} `NoWorker`, `ConsolidationFailed`
   */
  run(request?: ConsolidationRequest): Promise<ConsolidationOutcome>;
  /** Newest first, each with the number of its changes by kind and status. */
  list(limit?: number): Promise<CountedConsolidation[]>;
  /** Changes waiting to be accepted or rejected, oldest first. */
  proposals(limit?: number): Promise<MemoryChange[]>;
  /**
   * The changes of a consolidation, at most 500, or the one change with this id.
   * @throws {DatabaseError} `UnknownConsolidation`
   */
  show(id: string): Promise<MemoryChange[]>;
  /**
   * Applies a proposed or undone change, or all that a consolidation proposes and that is still possible. `replace` lets a summary replace its
   * sources. Returns the number of changes applied.
   * @throws {DatabaseError} `UnknownConsolidation` or `MemoryChangeState` or `SecretInMemory`
   */
  accept(id: string, options?: { replace?: boolean | undefined }): Promise<number>;
  /** Rejects a proposal, or all of a consolidation; it is not proposed again. Returns the number of changes. */
  reject(id: string): Promise<number>;
  /** Undoes a change, or all of a consolidation; it is not made again. Returns the number of changes. */
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
    const { openStore } = await import('./open-store.ts'); // loads LanceDB, which few commands need
    const memory = await openStore(await settings());
    try {
      return await work(memory);
    } finally {
      await memory.close();
    }
  }

  async function describe(rows: ConsolidationChange[]): Promise<MemoryChange[]> {
    const ids = [...new Set(rows.flatMap(({ memoryId, sources }) => [memoryId, ...sources]))];
    const found = new Map((await withMemories((memory) => memory.get(ids))).map((one) => [one.id, one]));
    return rows.map((row) => ({
      ...row,
      memory: found.get(row.memoryId),
      sourceMemories: row.sources.flatMap((id) => found.get(id) ?? []),
    }));
  }

  /** Decisions are idempotent, so after a database outage they can simply be tried again. */
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
      return (await endAbandonedConsolidations(database, deps.temporal, running)) ? read() : rows;
    },
    proposals: async (limit = 100) =>
      describe(await database.use((query) => readChanges(query, { statuses: ['proposed'], limit }))),
    show: async (id) => describe(await database.use((query) => findChangesOf(query, id))),
    accept: (id, options) => decide((stores, named) => acceptChanges(stores, named, options), id),
    reject: (id) => decide(rejectChanges, id),
    undo: (id) => decide(undoChanges, id),
  };
}

/**
 * Starts a consolidation, or joins a running one of the same kind, and waits for its end.
 * @throws {ClientError} `NoWorker`, `ConsolidationFailed`
 */
export async function runConsolidation(
  temporal: TemporalAccess,
  taskQueue: string,
  input: ConsolidationInput,
): Promise<ConsolidationOutcome> {
  return temporal.use(async (client) => {
    await expectWorker(client, taskQueue);
    const kind = [input.projectId ?? 'all', ...(input.dryRun ? ['dry-run'] : [])].join('-');
    const handle = await client.workflow.start('consolidateMemoryWorkflow', {
      workflowId: `memory-consolidation-${taskQueue}-${kind}`,
      taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'USE_EXISTING',
      staticSummary: input.dryRun ? 'Memory consolidation (dry run)' : 'Memory consolidation',
    });
    try {
      return (await handle.result()) as ConsolidationOutcome;
    } catch (error) {
      const { WorkflowFailedError } = await import('../connection/temporal-client.ts');
      if (!(error instanceof WorkflowFailedError)) throw error;
      const { message, type } = await whyItFailed(error);
      throw new ClientError(
        'ConsolidationFailed',
        `The consolidation ${handle.workflowId} failed: ${message} Its merges stay; the next consolidation continues from there.`,
        { cause: error, failureType: type },
      );
    }
  });
}
