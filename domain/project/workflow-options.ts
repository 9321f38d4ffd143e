import { shorten } from '../storable-text.ts';
import type { ProjectInput } from './messages.ts';

/** The name that `projectWorkflow` is registered under; only workers load its code. */
export const projectWorkflowType = 'projectWorkflow';

/** Well below Temporal's limits: 200 bytes for a summary, 20 KB for details. */
const maxSummaryLength = 60;
const maxDetailsLength = 4_000;

/** How a new project's workflow is started; it is refused if a workflow of this id exists or existed. */
export function startOptions(id: string, taskQueue: string, input: ProjectInput & { goal: string }) {
  return {
    workflowId: id,
    taskQueue,
    args: [input],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: shorten(input.name ?? id, maxSummaryLength),
    staticDetails: shorten(input.goal, maxDetailsLength),
  } as const;
}

/** How the workflow of an existing project is reached or started again: it reads everything from its row, so it needs no input. */
export function reopenOptions(id: string, taskQueue: string) {
  return {
    workflowId: id,
    taskQueue,
    args: [{}],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  } as const;
}
