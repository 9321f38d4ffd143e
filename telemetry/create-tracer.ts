import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Context, context, type Link, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, RandomIdGenerator, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { scrub, scrubAll } from '../domain/secrets/scrub.ts';
import type { Log } from '../domain/telemetry/log.ts';
import type { TracingSettings } from '../domain/telemetry/settings.ts';
import type { SpanStart, WorkflowSpan } from '../domain/telemetry/span.ts';
import type { TraceContext } from '../domain/telemetry/trace-context.ts';
import type { OpenSpan, Tracer } from '../domain/telemetry/tracer.ts';
import { complainOnce } from './complain-once.ts';
import { createSinkProcessor } from './sink-processor.ts';

/** Milliseconds for a batch, tries included, and so what the end of a process may take longer for the last spans. */
const exportMs = 3_000;

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

/** Makes spans with OpenTelemetry, without secrets, and sends them to the settings' endpoint and sinks. */
export function createTracer(settings: TracingSettings, log: Pick<Log, 'warn'>): Tracer {
  const complain = complainOnce(log);
  const ids = new ChosenIds();
  const provider = new TracerProvider({
    idGenerator: ids,
    resource: resourceFromAttributes({ 'service.name': settings.serviceName }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [
      ...settings.sinks.map((sink) => createSinkProcessor(sink, complain)),
      ...exporting(settings, complain),
    ],
  });
  const own = provider.getTracer('longhaul');
  /** Beside OpenTelemetry's own, which exists only where a program has set one up. */
  const active = new AsyncLocalStorage<Context>();
  let closed: Promise<void> | undefined;
  const here = () => active.getStore() ?? context.active();

  function begin({ name, kind = 'internal', attributes = {} }: SpanStart, parent: Context): Span {
    return own.startSpan(scrub(name), { kind: kinds[kind], attributes: scrubAll(attributes) }, parent);
  }

  return {
    isOn: true,
    contents: settings.contents,
    start: (span) => openSpan(begin(span, here())),
    async inSpan(start, work) {
      const span = begin(start, start.parent ? contextOf(start.parent) : here());
      const within = trace.setSpan(here(), span);
      const open = openSpan(span);
      try {
        const result = await active.run(within, () => context.with(within, () => work(open)));
        open.end();
        return result;
      } catch (error) {
        open.end(error);
        throw error;
      }
    },
    current() {
      const span = trace.getSpanContext(here());
      return span && { traceId: span.traceId, spanId: span.spanId, sampled: (span.traceFlags & 1) === 1 };
    },
    record(span) {
      ids.next = span.context;
      const { startedAt, endedAt, error, link, kind = 'internal', attributes = {} } = span;
      const options = {
        kind: kinds[kind],
        attributes: scrubAll(attributes),
        startTime: new Date(startedAt), // a small number would count from the start of the process
        links: link ? [linkTo(link)] : [],
      };
      const made = own.startSpan(scrub(span.name), options, span.parent ? contextOf(span.parent) : noContext());
      ids.next = undefined;
      if (error !== undefined) made.setStatus({ code: SpanStatusCode.ERROR, message: scrub(error) });
      made.end(new Date(endedAt));
    },
    close() {
      closed ??= Promise.race([
        provider.shutdown().catch(() => {}), // the exporter has said why
        delay(exportMs, undefined, { ref: false }),
      ]);
      return closed;
    },
  };
}

function exporting({ endpoint, headers }: TracingSettings, complain: ReturnType<typeof complainOnce>): SpanProcessor[] {
  if (endpoint === undefined) return [];
  const exporter = new OTLPTraceExporter({ url: endpoint, headers, timeoutMillis: exportMs });
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error) complain(`Could not send traces to ${endpoint}; the work goes on without.`, result.error);
      done(result);
    });
  return [new BatchSpanProcessor({ exporter })];
}

function openSpan(span: Span): OpenSpan {
  return {
    set: (attributes) => void span.setAttributes(scrubAll(attributes)),
    end(error) {
      if (!span.isRecording()) return;
      if (error !== undefined) {
        const { name = 'Error', message = String(error), type = name } = error as Partial<Error> & { type?: string };
        span.setStatus({ code: SpanStatusCode.ERROR, message: scrub(message) });
        span.setAttribute('error.type', type);
      }
      span.end();
    },
  };
}

function contextOf({ traceId, spanId, sampled }: TraceContext): Context {
  return trace.setSpanContext(noContext(), { traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true });
}

function noContext(): Context {
  return trace.deleteSpan(context.active());
}

function linkTo({ traceId, spanId, sampled }: TraceContext): Link {
  return { context: { traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true } };
}

/** Gives a workflow's span the ids that the workflow chose. */
class ChosenIds extends RandomIdGenerator {
  next: WorkflowSpan['context'] | undefined;
  override generateTraceId = () => this.next?.traceId ?? random.generateTraceId();
  override generateSpanId = () => this.next?.spanId ?? random.generateSpanId();
}

const random = new RandomIdGenerator();
