import { Runtime } from '@temporalio/worker';
import type { Configuration } from '../config/configuration.ts';
import type { Log } from '../domain/telemetry/log.ts';
import { noMetrics } from '../domain/telemetry/metrics.ts';
import type { Telemetry } from '../domain/telemetry/telemetry.ts';
import { openTracer } from '../telemetry/open-tracer.ts';
import { createMetrics } from '../temporal/create-metrics.ts';

/** The traces and metrics that the configuration asks for, beside the log; close the tracer when the work has ended. */
export async function openTelemetry(
  { tracing, metrics }: Pick<Configuration, 'tracing' | 'metrics'>,
  log: Log,
): Promise<Telemetry> {
  return {
    log,
    tracer: await openTracer(tracing, log),
    metrics: metrics.address === undefined ? noMetrics : createMetrics(Runtime.instance().metricMeter),
  };
}
