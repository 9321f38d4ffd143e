import type { Client } from '@temporalio/client';

/** A bug in the code of a workflow: Temporal retries the same step until a fixed version is deployed. */
export interface WorkflowDefect {
  /** The project's workflow, or one of those below it. */
  workflow: string;
  message: string;
}

/** Of Temporal's API: `EVENT_TYPE_WORKFLOW_TASK_COMPLETED` and `..._FAILED`, and the cause `UNHANDLED_COMMAND`, which is no bug. */
const [taskCompleted, taskFailed, unhandledCommand] = [7, 9, 1];

/** Looks for a bug that keeps a workflow, or one that it waits for, from going on. */
export async function findDefect(client: Client, workflow: string): Promise<WorkflowDefect | undefined> {
  const { raw } = await client.workflow.getHandle(workflow).describe();
  if ((raw.pendingWorkflowTask?.attempt ?? 0) > 1) {
    const message = await readFailure(client, workflow);
    if (message !== undefined) return { workflow, message };
  }
  for (const { workflowId } of raw.pendingChildren ?? []) {
    const found = workflowId ? await findDefect(client, workflowId) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** The failure of a workflow's latest task; undefined if it did not fail. */
async function readFailure(client: Client, workflowId: string): Promise<string | undefined> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: 20,
  });
  const latest = history?.events?.find(({ eventType }) => eventType === taskCompleted || eventType === taskFailed);
  const failed = latest?.workflowTaskFailedEventAttributes;
  return failed && failed.cause !== unhandledCommand ? (failed.failure?.message ?? undefined) : undefined;
}
