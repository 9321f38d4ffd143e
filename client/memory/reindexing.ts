import type { ReadSettings } from '../../config/load-configuration.ts';
import { noEmbedder } from '../../db/memory/memory-error.ts';
import type { ReindexInput } from '../../domain/memory/consolidation.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { expectWorker, whyItFailed } from '../project/expect-worker.ts';

export interface ReindexStatus {
  /** Of the workflow that embeds; `none` if there was none, or Temporal no longer knows it. */
  state: 'none' | 'running' | 'completed' | 'failed' | 'cancelled' | 'terminated';
  /** Why it failed. */
  reason?: string | undefined;
  workflowId: string;
  /** Absent if memories are found only by their words. */
  model: string | undefined;
  memories: number;
  /** How many memories lack a vector of the model. */
  left: number;
}

/** Re-embedding the memories in the background after a change of the embedding model. */
export interface Reindexing {
  /**
   * Starts it, or joins the running one, without waiting for its end.
   * @throws {MemoryError} `NoEmbedder`
   * @throws {ClientError} `NoWorker`
   */
  start(): Promise<ReindexStatus>;
  /** The progress so far. */
  status(): Promise<ReindexStatus>;
}

export function createReindexing({
  temporal,
  taskQueue,
  settings,
}: {
  temporal: TemporalAccess;
  taskQueue: string;
  settings: ReadSettings;
}): Reindexing {
  const workflowId = `memory-reindex-${taskQueue}`;

  async function readStats() {
    const { openMemories } = await import('./open-memories.ts'); // loads LanceDB, which few commands need
    const memories = await openMemories(await settings());
    try {
      return await memories.stats();
    } finally {
      await memories.close();
    }
  }

  async function status(): Promise<ReindexStatus> {
    const [{ memories, model, withoutVector: left }, state] = await Promise.all([readStats(), readState()]);
    return { ...state, workflowId, model, memories, left };
  }

  async function readState(): Promise<Pick<ReindexStatus, 'state' | 'reason'>> {
    const { WorkflowNotFoundError } = await import('../connection/temporal-client.ts');
    return temporal.use(async (client) => {
      const handle = client.workflow.getHandle(workflowId);
      try {
        const { status } = await handle.describe();
        if (status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW') return { state: 'running' };
        if (status.name === 'COMPLETED') return { state: 'completed' };
        if (status.name === 'CANCELLED') return { state: 'cancelled' };
        if (status.name === 'TERMINATED') return { state: 'terminated' };
        const failed: unknown = await handle.result().catch((error: unknown) => error);
        return { state: 'failed', ...(failed instanceof Error && { reason: (await whyItFailed(failed)).message }) };
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { state: 'none' };
        throw error;
      }
    });
  }

  return {
    status,
    async start() {
      const { model } = await readStats();
      if (model === undefined) throw noEmbedder();
      await temporal.use(async (client) => {
        await expectWorker(client, taskQueue);
        await client.workflow.start('reindexMemoryWorkflow', {
          workflowId,
          taskQueue,
          args: [{ model } satisfies ReindexInput],
          workflowIdConflictPolicy: 'USE_EXISTING',
          staticSummary: `Embeds memories with ${model}`,
        });
      });
      return status();
    },
  };
}
