import { startChild, workflowInfo } from '@temporalio/workflow';
import type { OpenedProject } from '../../activities/project/project.ts';
import { git } from '../activities.ts';
import { projectAttribute } from '../search-attributes.ts';
import { childOptions, startWhenFree } from '../start-child.ts';
import { initializerWorkflow } from './initializer-workflow.ts';
import type { ProjectState } from './project-state.ts';
import { stoppable, stopped } from './stoppable.ts';

/** Turns the goal into features, with the initializer or from a person's own list. */
export async function planProject(state: ProjectState, { head, proposed, planning }: OpenedProject): Promise<void> {
  const { projectId } = state;
  const runId = planning === 1 ? `${projectId}-init` : `${projectId}-init-${planning}`;
  const planner = state.planningStarted(runId);
  const hasToStop = () => state.mustStop;
  const outcome = await stoppable(hasToStop, async () => {
    if (proposed) return;
    const child = await startWhenFree(() =>
      startChild(initializerWorkflow, {
        ...childOptions,
        workflowId: runId,
        args: [{ projectId, runId, paused: state.childStarting(planner), ...(head && { commit: head }) }],
        staticSummary: 'Plans the features',
        typedSearchAttributes: [{ key: projectAttribute, value: projectId }],
      }),
    );
    state.childStarted(planner);
    await child.result();
  });
  if (outcome !== stopped) {
    const { workflowId, runId: workflowRunId } = workflowInfo();
    await git.applyProposal({ projectId, workflowId, workflowRunId });
  }
  state.planningEnded({ planned: outcome !== stopped });
}
