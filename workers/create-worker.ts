import { readFile } from 'node:fs/promises';
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../activities/create-activities.ts';
import type { Dependencies } from '../activities/dependencies.ts';
import { heartbeatMs } from '../activities/heartbeat.ts';
import { packageRoot } from '../config/package-root.ts';
import { dataConverterOf } from '../temporal/data-converter.ts';
import type { PayloadKey } from '../temporal/payload-codec.ts';
import { createDelayReporter, failureNaming } from './failure-interceptors.ts';

export interface WorkerSetup {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  dependencies: Dependencies;
  /** The bundled workflows. */
  workflowBundle: { codePath: string };
  /** Payloads are encrypted with the first of them, if there are any. */
  payloadKeys: readonly PayloadKey[];
  sinks?: NonNullable<WorkerOptions['sinks']>;
}

/** A worker for all of Longhaul's workflows and activities; it polls once it is run. */
export async function createWorker({
  dependencies,
  workflowBundle,
  payloadKeys,
  ...where
}: WorkerSetup): Promise<Worker> {
  return await Worker.create({
    ...where,
    ...dataConverterOf(payloadKeys, packageRoot()),
    workflowBundle: payloadKeys.length ? await encodingFailures(workflowBundle) : workflowBundle,
    activities: createActivities(dependencies),
    // The first is the outermost: it sees failures that the second has named.
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

/** The bundle with failures encoded, as workflows/failure-converter.ts reads it; on the first line, so that the source map still fits. */
async function encodingFailures({ codePath }: WorkerSetup['workflowBundle']): Promise<{ code: string }> {
  return { code: `globalThis.longhaulEncodesFailures=true;${await readFile(codePath, 'utf8')}` };
}
