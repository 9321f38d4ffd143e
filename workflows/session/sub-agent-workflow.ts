import { continueAsNew, isCancellation, setCurrentDetails, TemporalFailure, workflowInfo } from '@temporalio/workflow';
import type { RunOutcome } from '../../domain/project/messages.ts';
import type { RunRequest } from '../../domain/run/agent-run.ts';
import { containers, database } from '../activities.ts';
import { beginRun, doTask, startOfTask, type TaskState } from '../agent/do-task.ts';
import { createPauseGate } from '../agent/pause-gate.ts';

export interface SubAgentInput {
  run: RunRequest & { sandbox: string };
  paused: boolean;
  /** Where to continue after continuing as new. */
  state?: TaskState;
}

/** A specialist that works on what a session delegated to it, in the session's sandbox. */
export async function subAgentWorkflow(input: SubAgentInput): Promise<RunOutcome> {
  const state = input.state ?? { ...startOfTask };
  const gate = createPauseGate({ paused: input.paused, whilePaused: restOf(input.run) });
  const run = await beginRun(input.run, gate);
  const end = await doTask(run, gate, state, {
    onTurn: (turn) => setCurrentDetails(`**${run.role} agent** on \`${run.feature}\`, turn ${turn} of ${run.maxTurns}`),
    shouldYield: () => workflowInfo().continueAsNewSuggested,
  });
  if (end.kind === 'yield') return continueAsNew<typeof subAgentWorkflow>({ run, state, paused: gate.paused });
  await database.endRun({ projectId: run.owner.id, runId: run.runId, ...end.ending });
  return end.ending;
}

/** Stops the sandbox for the duration of a pause. */
export function restOf(run: { sandbox: string }) {
  return {
    async begin() {
      setCurrentDetails('**Paused.** The sandbox is stopped; its files are kept. Signal `resume` to go on.');
      try {
        await containers.stopSandbox({ sandbox: run.sandbox });
      } catch (error) {
        // If the container host is unreachable, its containers have stopped or are idle.
        if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
      }
    },
    async end() {
      setCurrentDetails('Resumed.');
    },
  };
}
