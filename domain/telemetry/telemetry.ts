import { type Log, noLog } from './log.ts';
import { type Metrics, noMetrics } from './metrics.ts';
import { noTracer, type Tracer } from './tracer.ts';

/** How a worker tells what it does. */
export interface Telemetry {
  log: Log;
  tracer: Tracer;
  metrics: Metrics;
}

export const noTelemetry: Telemetry = { log: noLog, tracer: noTracer, metrics: noMetrics };
