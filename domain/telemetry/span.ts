import type { TraceContext } from './trace-context.ts';

/** Names are those of OpenTelemetry's conventions where it has one; see docs/tracing.md. */
export type SpanAttributes = Record<string, string | number | boolean | string[]>;

/** What a span is made of when it begins. */
export interface SpanStart {
  name: string;
  /** `client`: it waits for another system, such as a provider. */
  kind?: 'internal' | 'client';
  attributes?: SpanAttributes;
}

/** A span that has ended, without secrets. */
export interface FinishedSpan {
  name: string;
  kind: 'internal' | 'client';
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** Spans of other traces that led to this one. */
  links: Array<Pick<TraceContext, 'traceId' | 'spanId'>>;
  startedAt: Date;
  endedAt: Date;
  attributes: SpanAttributes;
  /** Why it failed, if it did. */
  error?: string;
}

/** A span that workflow code reports when it ends; times in milliseconds since the epoch. */
export interface WorkflowSpan extends SpanStart {
  context: TraceContext;
  parent?: TraceContext;
  link?: TraceContext;
  startedAt: number;
  endedAt: number;
  error?: string;
}

/** What workflow code calls outside its sandbox. */
export type TraceSinks = { traces: { ended(span: WorkflowSpan): void } };

/** Takes finished spans, beside the exporter or without one. What it throws is logged and disturbs nothing. */
export interface TraceSink {
  onSpan(span: FinishedSpan): void | Promise<void>;
  /** Awaited when the process or the connection ends, for at most three seconds. */
  close?(): Promise<void>;
}
