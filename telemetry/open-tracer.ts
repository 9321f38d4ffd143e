import { holdSecrets } from '../domain/secrets/scrub.ts';
import type { Log } from '../domain/telemetry/log.ts';
import type { TracingSettings } from '../domain/telemetry/settings.ts';
import { noTracer, type Tracer } from '../domain/telemetry/tracer.ts';

/** A tracer as the settings say. OpenTelemetry, which takes a tenth of a second to load, is loaded only if traces go somewhere. */
export async function openTracer(settings: TracingSettings, log: Pick<Log, 'warn'>): Promise<Tracer> {
  if (settings.endpoint === undefined && settings.sinks.length === 0) return noTracer;
  holdSecrets(Object.values(settings.headers).flatMap((value) => [value, ...value.split(/\s+/)]));
  const { createTracer } = await import('./create-tracer.ts');
  return createTracer(settings, log);
}
