import '../servers/quiet-temporal.ts';
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { Activities } from '../../../activities/create-activities.ts';
import { heartbeatMs } from '../../../activities/heartbeat.ts';
import { workflowBundleOfRun } from './workflow-bundle-of-run.ts';
import { coverageSinks } from './workflow-coverage.ts';

/** The real workflows on the Temporal server of the run. */
export interface Workflows {
  client: Client;
  /** Does the work while a worker has these activities; one that is not among them fails, and is tried again. `bundle` replaces the real workflows. */
  withActivities<Result>(
    activities: Partial<Activities>,
    work: () => Promise<Result>,
    bundle?: WorkflowBundleOption,
  ): Promise<Result>;
  stop(): Promise<void>;
}

/** Of this test file alone. */
export const taskQueue = `workflows-${randomUUID()}`;

export async function startWorkflows(): Promise<Workflows> {
  const workflowBundle = await workflowBundleOfRun();
  const address = process.env.LONGHAUL_TEST_TEMPORAL;
  if (!address)
    throw new Error('Expected LONGHAUL_TEST_TEMPORAL from begin-service-run.mjs: name the file *.service.test.ts.');
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  return {
    client: new Client({ connection }),
    async withActivities(activities, work, bundle = workflowBundle) {
      const worker = await Worker.create({
        connection: native,
        taskQueue,
        workflowBundle: bundle,
        ...coverageSinks,
        activities,
        maxHeartbeatThrottleInterval: heartbeatMs, // as in our worker; an activity learns of its cancellation by a heartbeat
      });
      return worker.runUntil(work);
    },
    async stop() {
      await native.close();
      await connection.close();
    },
  };
}
