import { readConfiguration } from '../../config/configuration.ts';
import { connectTemporal } from './connect-temporal.ts';

/** A poll waits for up to 60 s; a worker that has not polled for twice as long is gone. */
const heardOfMs = 120_000;
/** temporal.api.enums.v1.TaskQueueType */
const workflowQueueType = 1;

// Exits with 0 if a worker polls the task queue for workflows: the health check of the worker's container.
const { temporal } = readConfiguration(process.env);
const connection = await connectTemporal(temporal.address ?? '127.0.0.1:7233', process.env);
try {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace: temporal.namespace,
    taskQueue: { name: temporal.taskQueue },
    taskQueueType: workflowQueueType,
  });
  const heardOf = (pollers ?? []).map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000);
  if (!heardOf.some((time) => Date.now() - time < heardOfMs)) {
    console.error(`Expected a worker on task queue "${temporal.taskQueue}", found none.`);
    process.exitCode = 1;
  }
} finally {
  await connection.close();
}
