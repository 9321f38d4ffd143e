import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

const bareActivities = {
  async firstOfTurn(): Promise<void> {},
  async secondOfTurn(): Promise<void> {},
};

export type BareActivities = typeof bareActivities;

export const bareTaskQueue = 'longhaul-bench-bare';

/** Starts a worker for the bare workflow, configured like Longhaul's own; returns a function that stops it. */
export async function startBareWorker(address: string): Promise<() => Promise<void>> {
  const logger = new DefaultLogger('WARN');
  Runtime.install({ logger });
  const here = dirname(fileURLToPath(import.meta.url));
  const compiled = join(here, 'bare-workflow.js');
  const workflowsPath = existsSync(compiled) ? compiled : join(here, 'bare-workflow.ts');
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger });
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    taskQueue: bareTaskQueue,
    workflowBundle,
    activities: bareActivities,
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
    await connection.close();
  };
}
