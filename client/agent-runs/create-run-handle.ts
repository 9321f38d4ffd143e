import { readAgentRun } from '../../db/agent-runs/agent-runs.ts';
import { endAgentRun } from '../../db/agent-runs/attempts.ts';
import { sumUsage } from '../../db/usage/sum-usage.ts';
import { hasEnded } from '../../domain/agent-run/status.ts';
import type { DatabaseAccess } from '../connection/database-access.ts';
import type { TemporalAccess } from '../connection/temporal-access.ts';
import { followRun } from './follow-run.ts';
import { RunFailedError } from './run-failed.ts';
import type { RunHandle } from './run-handle.ts';
import { type RunResult, toRunView } from './run-view.ts';

export interface RunDependencies {
  database: DatabaseAccess;
  temporal: TemporalAccess;
  taskQueue: string;
}

/** The handle of an existing run. */
export function createRunHandle<Output>({ database, temporal }: RunDependencies, runId: string): RunHandle<Output> {
  const read = () => database.use((query) => readAgentRun(query, runId));

  async function result(): Promise<RunResult<Output>> {
    for (;;) {
      const { status, reason, output, finalMessages, artifacts } = await read();
      if (status === 'SUCCEEDED') {
        const { inputTokens, outputTokens, costUsd, calls } = await database.use((query) => sumUsage(query, { runId }));
        return {
          runId,
          output: output as Output, // its agent checked it
          ...(finalMessages && { finalMessages }),
          artifacts: artifacts ?? {},
          usage: { inputTokens, outputTokens, costUsd, modelCalls: calls },
        };
      }
      if (hasEnded(status)) throw new RunFailedError(runId, status as 'FAILED', reason ?? '');
      await untilClosed();
    }
  }

  /** Waits until the run's workflow has closed; a run whose workflow was closed from outside has failed. */
  async function untilClosed(): Promise<void> {
    const { WorkflowNotFoundError } = await import('../connection/temporal-client.ts');
    const reason = await temporal.use(async (client) => {
      try {
        await client.workflow.getHandle(runId).result();
        return undefined;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return 'Its workflow does not exist.';
        const { message, cause } = error as Error;
        return cause instanceof Error ? cause.message : message;
      }
    });
    if (reason === undefined) return;
    const outcome = { status: 'FAILED' as const, reason, retryable: false };
    await database.use((query) => endAgentRun(query, { runId, outcome })); // does nothing to a run that has ended
  }

  return {
    runId,
    result,
    events: (options) => followRun(database, runId, options) as never, // the caller names the types of the agent's own events
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
    status: async () => toRunView(await read()),
  };
}
