import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { FinishedSpan, SpanAttributes, TraceSink } from '../domain/telemetry/span.ts';

/** Gives a sink each span that ends. */
export function createSinkProcessor(
  sink: TraceSink,
  complain: (message: string, error: unknown) => void,
): SpanProcessor {
  const under = new Set<Promise<void>>();
  const fail = (error: unknown) => complain('A trace sink failed; the work goes on without it.', error);
  return {
    onStart() {},
    onEnd(span) {
      const given = (async () => sink.onSpan(finished(span)))()
        .catch(fail)
        .finally(() => under.delete(given));
      under.add(given);
    },
    forceFlush: async () => void (await Promise.all(under)),
    async shutdown() {
      await Promise.all(under);
      await sink.close?.().catch(fail);
    },
  };
}

function finished(span: ReadableSpan): FinishedSpan {
  const { traceId, spanId } = span.spanContext();
  const { parentSpanContext, status } = span;
  return {
    name: span.name,
    kind: span.kind === SpanKind.CLIENT ? 'client' : 'internal',
    traceId,
    spanId,
    ...(parentSpanContext && { parentSpanId: parentSpanContext.spanId }),
    links: span.links.map(({ context }) => ({ traceId: context.traceId, spanId: context.spanId })),
    startedAt: toDate(span.startTime),
    endedAt: toDate(span.endTime),
    attributes: span.attributes as SpanAttributes,
    ...(status.code === SpanStatusCode.ERROR && { error: status.message ?? 'It failed.' }),
  };
}

/** OpenTelemetry's time is seconds and nanoseconds since the epoch. */
function toDate([seconds, nanoseconds]: readonly [number, number]): Date {
  return new Date(seconds * 1000 + nanoseconds / 1e6);
}
