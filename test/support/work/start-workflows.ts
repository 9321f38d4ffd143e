import '../servers/quiet-temporal.ts';
import { randomUUID } from 'node:crypto';
import { activityInfo } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions, type WorkflowBundleOption } from '@temporalio/worker';
import type { HostActivities } from '../../../activities/agent-host/create-host-activities.ts';
import type { Activities } from '../../../activities/create-activities.ts';
import { heartbeatMs } from '../../../activities/heartbeat.ts';
import { workflowBundleOfRun } from './workflow-bundle-of-run.ts';
import { coverageSinks } from './workflow-coverage.ts';

/** The real workflows on the Temporal server of the run, with one worker from the first work until the stop. */
export interface Workflows {
  client: Client;
  /** Does the work while the worker has these activities; one that is not among them fails, and is tried again. */
  withActivities<Result>(
    activities: Partial<Activities & HostActivities>,
    work: () => Promise<Result>,
  ): Promise<Result>;
  stop(): Promise<void>;
}

/** Of this test file alone. */
export const taskQueue = `workflows-${randomUUID()}`;

export interface WorkflowsOptions {
  /** Instead of the real workflows. */
  bundle?: WorkflowBundleOption;
  /** What they call outside their sandbox. */
  sinks?: WorkerOptions['sinks'];
  /** Of another Temporal server than that of the run. */
  address?: string;
}

export async function startWorkflows({
  bundle,
  sinks,
  address = process.env.LONGHAUL_TEST_TEMPORAL,
}: WorkflowsOptions = {}): Promise<Workflows> {
  if (!address)
    throw new Error('Expected LONGHAUL_TEST_TEMPORAL from begin-service-run.mjs: name the file *.service.test.ts.');
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  let present: Record<string, unknown> = {};
  const worker = await Worker.create({
    connection: native,
    taskQueue,
    workflowBundle: bundle ?? (await workflowBundleOfRun()),
    sinks: { ...coverageSinks.sinks, ...sinks },
    // The SDK calls it for every activity without a function of its own.
    activities: {
      async default(...input: unknown[]) {
        const name = activityInfo().activityType;
        const activity = present[name];
        if (typeof activity !== 'function') throw new Error(`The test has no activity ${name}.`);
        return activity(...input);
      },
    },
    maxHeartbeatThrottleInterval: heartbeatMs, // as in our worker; an activity learns of its cancellation by a heartbeat
  });
  let running: Promise<void> | undefined;
  return {
    client: new Client({ connection }),
    async withActivities(activities, work) {
      present = activities;
      running ??= worker.run();
      const ended = running.then(() => Promise.reject(new Error('The worker ended before the work.')));
      return Promise.race([work(), ended]);
    },
    async stop() {
      if (running) worker.shutdown();
      await running;
      await native.close();
      await connection.close();
    },
  };
}
