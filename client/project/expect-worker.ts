import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { ClientError } from '../errors.ts';

/** `TASK_QUEUE_TYPE_WORKFLOW` in Temporal's API. */
const workflowQueue = 1;
/** Milliseconds within which a worker that has just started begins to poll. */
const timeoutMs = 5_000;

/**
 * Waits a moment for a worker that polls this task queue; one that has died still counts for some minutes.
 * @throws {ClientError} `NoWorker` if there is none, since the caller would wait forever.
 */
export async function expectWorker(client: Client, taskQueue: string): Promise<void> {
  const { namespace } = client.options;
  const deadline = Date.now() + timeoutMs;
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
    `Expected a worker on the task queue "${taskQueue}" of the namespace "${namespace}"; there is none. \`longhaul ps\` shows the stack, \`longhaul up -d\` starts it.`,
  );
}

/** The message and failure type that Longhaul's own code gave to a failure that came through Temporal. */
export async function whyItFailed(error: Error): Promise<{ message: string; type: string | undefined }> {
  const { ApplicationFailure } = await import('../connection/temporal-client.ts');
  let found = error;
  // Stops at the first: its own cause is only the error that it was made from.
  while (!(found instanceof ApplicationFailure) && found.cause instanceof Error) found = found.cause;
  return { message: found.message, type: found instanceof ApplicationFailure ? (found.type ?? undefined) : undefined };
}
