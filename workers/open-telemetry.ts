import type { Configuration } from '../config/configuration.ts';
import type { Log } from '../domain/telemetry/log.ts';
import type { Telemetry } from '../domain/telemetry/telemetry.ts';
import { openTracer } from '../telemetry/open-tracer.ts';
import { metricsOf } from '../temporal/metrics-of.ts';

/** The traces and metrics that the configuration asks for, beside the log; close the tracer when the work has ended. */
export async function openTelemetry(
  { tracing, metrics }: Pick<Configuration, 'tracing' | 'metrics'>,
  log: Log,
): Promise<Telemetry> {
  return {
    log,
    tracer: await openTracer(tracing, log),
    metrics: metricsOf(metrics),
  };
}
