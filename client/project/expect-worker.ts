import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { ClientError } from '../errors.ts';

/** `TASK_QUEUE_TYPE_WORKFLOW` in Temporal's API. */
const workflowQueue = 1;
/** Milliseconds within which a worker that has just started begins to poll. */
const patience = 5_000;

/**
 * Waits a moment for a worker that polls this task queue; one that has died still counts for some minutes.
 * @throws {ClientError} `NoWorker` if there is none, since the caller would wait forever.
 */
export async function expectWorker(client: Client, taskQueue: string): Promise<void> {
  const { namespace } = client.options;
  const deadline = Date.now() + patience;
  for (;;) {
    const { pollers } = await client.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: workflowQueue,
    });
    if (pollers?.length) return;
    if (Date.now() > deadline) break;
    await sleep(200);
  }
  throw new ClientError(
    'NoWorker',
    `Expected a worker on the task queue "${taskQueue}" of the namespace "${namespace}"; none asks it for work. \`longhaul ps\` shows the stack, \`longhaul up -d\` starts it.`,
  );
}
