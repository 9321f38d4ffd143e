import { readFile } from 'node:fs/promises';
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../activities/create-activities.ts';
import type { Dependencies } from '../activities/dependencies.ts';
import { heartbeatMs } from '../activities/heartbeat.ts';
import { traceActivity } from '../activities/telemetry/trace-activity.ts';
import { packageRoot } from '../config/package-root.ts';
import { dataConverterOf } from '../temporal/data-converter.ts';
import type { PayloadKey } from '../temporal/payload-codec.ts';
import { createDelayReporter, failureNaming } from './failure-interceptors.ts';
import { traceSinks } from './trace-sinks.ts';

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
  sinks,
  ...where
}: WorkerSetup): Promise<Worker> {
  const { telemetry } = dependencies;
  const flags = [
    ...(payloadKeys.length ? ['longhaulEncodesFailures'] : []),
    ...(telemetry.tracer.isOn ? ['longhaulTraces'] : []),
  ];
  return await Worker.create({
    ...where,
    ...dataConverterOf(payloadKeys, packageRoot()),
    workflowBundle: flags.length ? await withFlags(workflowBundle, flags) : workflowBundle,
    sinks: { ...sinks, ...traceSinks(telemetry) },
    activities: createActivities(dependencies),
    // The first is the outermost: they see failures that the last has named.
    interceptors: {
      activity: [
        (context) => traceActivity(context, telemetry),
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

/** The bundle with what workflow code is to know of the settings: read by workflows/failure-converter.ts and workflows/tracing/; on the first line, so that the source map still fits. */
async function withFlags({ codePath }: WorkerSetup['workflowBundle'], flags: string[]): Promise<{ code: string }> {
  const set = flags.map((flag) => `globalThis.${flag}=true;`).join('');
  return { code: `${set}${await readFile(codePath, 'utf8')}` };
}
