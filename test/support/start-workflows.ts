import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Activities } from '../../activities/create-activities.ts';
import { heartbeatMs } from '../../activities/heartbeat.ts';
import { prepareTemporal } from '../../setup/cluster/prepare-temporal.ts';
import { startShortHistoryServer } from './short-history-server.ts';
import { workflowBundleOfRun } from './workflow-bundle-of-run.ts';

/** The real workflows on a Temporal server of their own. */
export interface Workflows {
  client: Client;
  /** Does the work while a worker has these activities; one that is not among them fails, and is tried again. */
  withActivities<Result>(activities: Partial<Activities>, work: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

export const taskQueue = 'workflows';

export async function startWorkflows(): Promise<Workflows> {
  const workflowBundle = await workflowBundleOfRun();
  const server = await startShortHistoryServer(10_000);
  const connection = await Connection.connect({ address: server.address });
  const native = await NativeConnection.connect({ address: server.address });
  await prepareTemporal(connection, 'default');
  return {
    client: new Client({ connection }),
    async withActivities(activities, work) {
      const worker = await Worker.create({
        connection: native,
        taskQueue,
        workflowBundle,
        activities,
        maxHeartbeatThrottleInterval: heartbeatMs, // as in our worker; an activity learns of its cancellation by a heartbeat
      });
      return worker.runUntil(work);
    },
    async stop() {
      await native.close();
      await connection.close();
      await server.stop();
    },
  };
}
