import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../activities/create-activities.ts';
import type { Dependencies } from '../activities/dependencies.ts';
import { heartbeatMs } from '../activities/heartbeat.ts';
import { createDelayReporter, failureNaming } from './failure-interceptors.ts';

export interface WorkerSetup {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  dependencies: Dependencies;
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
  sinks?: NonNullable<WorkerOptions['sinks']>;
}

/** A worker for all of Longhaul's workflows and activities; it polls once it is run. */
export function createWorker({ dependencies, ...where }: WorkerSetup): Promise<Worker> {
  return Worker.create({
    ...where,
    activities: createActivities(dependencies),
    // The first is the outermost: it is told of failures that the second has named.
    interceptors: {
      activity: [
        (context) => ({ inbound: createDelayReporter(dependencies.database, context) }),
        () => ({ inbound: failureNaming }),
      ],
    },
    // An activity learns of a cancellation from the response to its heartbeat, so no heartbeat may be throttled away.
    maxHeartbeatThrottleInterval: heartbeatMs,
    defaultHeartbeatThrottleInterval: heartbeatMs,
    shutdownGraceTime: '2 seconds',
    shutdownForceTime: '3 seconds',
  });
}
