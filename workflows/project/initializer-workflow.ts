import { setCurrentDetails } from '@temporalio/workflow';
import { containers } from '../activities.ts';
import { closeSandbox } from '../agent/close-sandbox.ts';
import { runTask } from '../agent/do-task.ts';
import { createPauseGate } from '../agent/pause-gate.ts';
import { retryUntilAvailable } from '../agent/retry-until-available.ts';
import { failure } from '../failures.ts';
import { restOf } from '../session/sub-agent-workflow.ts';

export interface InitializerInput {
  projectId: string;
  /** Also the name of its sandbox and workflow; another planning after a refused plan gets another id. */
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
      await retryUntilAvailable({ owner: request.owner, who: 'The initializer agent' }, gate, () =>
        containers.openSandbox({ projectId, sandbox: runId, purpose: 'initializer', commit, prepare: false }),
      );
    }
    const end = await runTask(request, gate, (turn, maxTurns) =>
      setCurrentDetails(`**Planning the project**, turn ${turn} of ${maxTurns}`),
    );
    if (end.status !== 'FINISHED')
      throw failure('ProposalRefused', `The initializer produced no valid plan. ${end.reason}`);
  } finally {
    if (commit) await closeSandbox(projectId, runId);
  }
}
