import type { InjectedSinks } from '@temporalio/worker';
import type { TraceSinks } from '../domain/telemetry/span.ts';
import type { Telemetry } from '../domain/telemetry/telemetry.ts';

/** Takes the spans of workflow code, each once: while a workflow replays, its spans were taken before. */
export function traceSinks({ tracer }: Pick<Telemetry, 'tracer'>): InjectedSinks<TraceSinks> {
  return { traces: { ended: { fn: (_info, span) => tracer.record(span), callDuringReplay: false } } };
}
