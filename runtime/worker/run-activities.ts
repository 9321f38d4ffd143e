import { ApplicationFailure } from '@temporalio/common';
import { createRunHandle, type RunDependencies } from '../../client/agent-runs/create-run-handle.ts';
import type { RunInput, RunOptions } from '../../client/agent-runs/run-options.ts';
import type { RunResult } from '../../client/agent-runs/run-view.ts';
import { insertRun, summaryOf } from '../../client/agent-runs/start-run.ts';
import { toRunRequest } from '../../db/agent-runs/to-run-request.ts';
import type { AgentRunRequest } from '../../domain/agent-run/run-request.ts';
import { LonghaulError } from '../../domain/longhaul-error.ts';

/** A run that is stored, and how its workflow is started. */
export interface InsertedRun {
  request: AgentRunRequest;
  /** Of Longhaul's workers. */
  taskQueue: string;
  priority: number;
  summary: string;
}

/** What `runAgent` of `longhaul/workflow` calls; the names tell them apart from a user's own activities. */
export interface RunActivities {
  longhaulInsertRun(run: {
    agent: string;
    input: RunInput;
    options: RunOptions & { runId: string };
  }): Promise<InsertedRun>;
  longhaulReadResult(run: { runId: string }): Promise<RunResult>;
}

export function createRunActivities(deps: Pick<RunDependencies, 'database' | 'temporal' | 'taskQueue'>): RunActivities {
  return {
    longhaulInsertRun: ({ agent, input, options }) =>
      named(async () => {
        // The workflow chose the id, so that a second attempt finds the run of the first.
        const row = await insertRun(deps.database, { key: agent }, input, {
          idempotencyKey: options.runId,
          ...options,
        });
        const { taskQueue } = deps;
        return { request: toRunRequest(row), taskQueue, priority: row.priority, summary: summaryOf(row) };
      }),
    longhaulReadResult: ({ runId }) => named(() => createRunHandle(deps, runId).result()),
  };
}

/** Gives failures the type of their cause, and says whether trying again may help. */
async function named<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LonghaulError)) throw error;
    const { message, code: type, retryable } = error;
    throw ApplicationFailure.create({ message, type, nonRetryable: !retryable });
  }
}
