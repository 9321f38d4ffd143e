import { setCurrentDetails } from '@temporalio/workflow';
import { containers, database } from '../activities.ts';
import { beginRun } from '../agent/begin-run.ts';
import { closeSandbox } from '../agent/close-sandbox.ts';
import { doTask, startOfTask } from '../agent/do-task.ts';
import { createPauseGate } from '../agent/pause-gate.ts';
import { outlast } from '../agent/retry-until-available.ts';
import { failure } from '../failures.ts';
import { restOf } from '../session/sub-agent-workflow.ts';

export interface InitializerInput {
  projectId: string;
  /** Also the name of its sandbox and of its workflow; planning again after a refused plan takes another id. */
  runId: string;
  /** The commit to read first, if the project takes over an existing repository. */
  commit?: string;
  paused: boolean;
}

/** Turns a goal into a proposal that passed every check; throws `ProposalRefused` with the last complaint if none did. */
export async function initializerWorkflow(input: InitializerInput): Promise<void> {
  const { projectId, runId, commit } = input;
  const gate = createPauseGate({ paused: input.paused, ...(commit && { whilePaused: restOf({ sandbox: runId }) }) });
  const request = {
    owner: { kind: 'project' as const, id: projectId },
    runId,
    role: 'initializer' as const,
    ...(commit && { sandbox: runId }),
  };
  try {
    if (commit) {
      await outlast({ owner: request.owner, who: 'The initializer agent' }, gate, () =>
        containers.openSandbox({ projectId, sandbox: runId, purpose: 'initializer', commit, prepare: false }),
      );
    }
    const run = await beginRun(request, gate);
    const outcome = await doTask(
      run,
      gate,
      { ...startOfTask },
      {
        onTurn: (turn) => setCurrentDetails(`**Planning the project**, turn ${turn} of ${run.maxTurns}`),
      },
    );
    const end = outcome ?? { status: 'ENDED' as const, reason: 'It was stopped.' };
    await database.endRun({ projectId, runId, ...end });
    if (end.status !== 'FINISHED')
      throw failure('ProposalRefused', `The initializer brought no usable plan. ${end.reason}`);
  } finally {
    if (commit) await closeSandbox(runId);
  }
}
