import type { Client } from '@temporalio/client';
import { expectWorker } from '../project/expect-worker.ts';

/** Milliseconds for which a worker that was seen counts as there, so that many starts do not ask for it each time. */
const seenFor = 10_000;

/**
 * A check whether a worker of Longhaul polls for tasks.
 * @throws {ClientError} `NoWorker`
 */
export function createWorkerCheck(taskQueue: string): (client: Client) => Promise<void> {
  let seenAt = Number.NEGATIVE_INFINITY;
  return async (client) => {
    if (performance.now() - seenAt < seenFor) return;
    await expectWorker(client, taskQueue);
    seenAt = performance.now();
  };
}
