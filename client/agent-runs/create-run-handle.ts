import type { Client } from '@temporalio/client';
import { readAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { endAgentRun } from '../../db/agent-runs/attempts.ts';
import { findVersion } from '../../db/agent-runs/hosted-agents.ts';
import { readWaits } from '../../db/agent-runs/read-waits.ts';
import { sumUsage } from '../../db/usage/sum-usage.ts';
import { hasEnded } from '../../domain/agent-run/status.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { poll } from '../events/poll.ts';
import { followRun } from './follow-run.ts';
import { provideTools } from './provide-tools.ts';
import { readRunRecord } from './read-run-record.ts';
import { RunFailedError } from './run-failed.ts';
import type { RunHandle } from './run-handle.ts';
import { type RunResult, toRunView } from './run-view.ts';

export interface RunDependencies {
  database: DatabaseAccess;
  temporal: TemporalAccess;
  taskQueue: string;
  /** @throws {ClientError} `NoWorker` */
  expectWorker(client: Client): Promise<void>;
}

/** Milliseconds that a start may take between storing a run and starting its workflow. */
const startTimeout = 60_000;

/** The handle of an existing run. */
export function createRunHandle<Output>(
  deps: Pick<RunDependencies, 'database' | 'temporal'>,
  runId: string,
): RunHandle<Output> {
  const { database, temporal } = deps;
  const read = () => database.use((query) => readAgentRun(query, runId));

  async function result(): Promise<RunResult<Output>> {
    for (;;) {
      await untilClosed();
      const { status, reason, output, finalMessages, artifacts, ownUsage } = await read();
      if (status === 'SUCCEEDED') {
        const { inputTokens, outputTokens, costUsd, calls } = await database.use((query) => sumUsage(query, { runId }));
        return {
          runId,
          output: output as Output, // its agent checked it
          ...(finalMessages && { finalMessages }),
          artifacts: artifacts ?? {},
          usage: {
            inputTokens: inputTokens + (ownUsage?.inputTokens ?? 0),
            outputTokens: outputTokens + (ownUsage?.outputTokens ?? 0),
            costUsd: costUsd + (ownUsage?.costUsd ?? 0),
            modelCalls: calls,
          },
        };
      }
      if (hasEnded(status)) throw new RunFailedError(runId, status as 'FAILED', reason ?? '');
    }
  }

  /** Waits until the run's workflow has closed, also while Temporal is unreachable. */
  async function untilClosed(): Promise<void> {
    const { WorkflowFailedError, WorkflowNotFoundError } = await import('../connection/temporal-client.ts');
    const reason = await poll(() =>
      temporal.use(async (client) => {
        try {
          await client.workflow.getHandle(runId).result();
          return '';
        } catch (error) {
          if (error instanceof WorkflowNotFoundError)
            return (await isStarting()) ? undefined : 'Its workflow does not exist.';
          if (error instanceof WorkflowFailedError) return error.cause?.message ?? error.message;
          throw error;
        }
      }),
    );
    if (reason) await endFromOutside(reason);
  }

  /** A start stores the run before it starts the workflow. */
  async function isStarting(): Promise<boolean> {
    const { status, createdAt } = await read();
    return status === 'QUEUED' && Date.now() - createdAt.getTime() < startTimeout;
  }

  /** A run whose workflow was ended from outside, as in the Temporal UI, has failed; one that has ended stays as it is. */
  async function endFromOutside(reason: string): Promise<void> {
    const outcome = { status: 'FAILED' as const, reason, retryable: false };
    await database.use((query) => endAgentRun(query, { runId, outcome }));
  }

  return {
    runId,
    result,
    events: (options) => followRun(database, runId, options) as never, // the caller names the types of the agent's own events
    provide: (tools) => provideTools(deps, runId, tools),
    async cancel() {
      const { WorkflowNotFoundError } = await import('../connection/temporal-client.ts');
      await temporal.use(async (client) => {
        try {
          await client.workflow.getHandle(runId).cancel();
        } catch (error) {
          if (!(error instanceof WorkflowNotFoundError)) throw error; // it has ended
        }
      });
    },
    async status() {
      const row = await read();
      const { agent: key, version } = row;
      const [hosted, waits] = await database.use((query) =>
        Promise.all([findVersion(query, { key, version }), readWaits(query, [runId])]),
      );
      return toRunView(row, { hosted, waitsFor: waits.get(runId) });
    },
    record: () => database.use((query) => readRunRecord(query, runId)),
  };
}
