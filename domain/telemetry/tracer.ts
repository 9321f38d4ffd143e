import type { SpanAttributes, SpanStart, WorkflowSpan } from './span.ts';
import type { TraceContext } from './trace-context.ts';

/** A span that has begun. */
export interface OpenSpan {
  set(attributes: SpanAttributes): void;
  /** An error marks it as failed; by default it succeeded. Only the first end counts. */
  end(error?: unknown): void;
}

/** Makes spans. It never throws, whatever becomes of them. */
export interface Tracer {
  readonly isOn: boolean;
  /** Whether prompts, answers, arguments and results may go into attributes. */
  readonly contents: boolean;
  /** Begins a child of the current span. */
  start(span: SpanStart): OpenSpan;
  /** Does the work in a span, a child of `parent` or else of the current one, and ends it with the work. */
  inSpan<Result>(
    span: SpanStart & { parent?: TraceContext },
    work: (span: OpenSpan) => Promise<Result>,
  ): Promise<Result>;
  /** The place of the current span; undefined outside of any. */
  current(): TraceContext | undefined;
  /** Takes a span of workflow code. */
  record(span: WorkflowSpan): void;
  /** Sends what is left, for at most three seconds. */
  close(): Promise<void>;
}

const noSpan: OpenSpan = { set() {}, end() {} };

/** Makes none. */
export const noTracer: Tracer = {
  isOn: false,
  contents: false,
  start: () => noSpan,
  inSpan: (_span, work) => work(noSpan),
  current: () => undefined,
  record() {},
  async close() {},
};
