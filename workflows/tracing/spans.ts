import { AsyncLocalStorage, ContinueAsNew, isCancellation, proxySinks, workflowInfo } from '@temporalio/workflow';
import type { SpanStart, TraceSinks } from '../../domain/telemetry/span.ts';
import { contextFrom, type TraceContext } from '../../domain/telemetry/trace-context.ts';

/** Where workflow code is: in a span, or led to by one, whose trace it doesn't continue. */
export interface Place {
  context?: TraceContext;
  cause?: TraceContext;
}

/** The worker sets this on the bundle; see workers/create-worker.ts. */
export const isTraced = (globalThis as { longhaulTraces?: boolean }).longhaulTraces === true;

const places = new AsyncLocalStorage<Place>();
const { traces } = proxySinks<TraceSinks>();
let spans = 0;

/** The present place; empty outside of any span. */
export function currentPlace(): Place {
  return (isTraced ? places.getStore() : undefined) ?? {};
}

/** Does work at a place. */
export function atPlace<Result>(place: Place, work: () => Result): Result {
  return isTraced ? places.run(place, work) : work();
}

/**
 * Does work in a span. It returns the work's own promise and looks at its end from the side: one that came a step later could change the order of a
 * workflow's commands, so that a history made without tracing would not replay with it.
 * @param failureOf Why the span failed although the work ended.
 */
export function inSpan<Result>(
  span: SpanStart & { link?: TraceContext | undefined },
  work: () => Promise<Result>,
  failureOf: (result: Result) => string | undefined = () => undefined,
): Promise<Result> {
  if (!isTraced) return work();
  const { name, kind, attributes, link } = span;
  const { workflowId, runId } = workflowInfo();
  const parent = currentPlace().context;
  spans += 1;
  const context = contextFrom(`${spans} ${runId}`, parent);
  const startedAt = Date.now();
  const result = places.run({ context }, work);
  const end = (error?: string) => {
    if (!context.sampled) return;
    traces.ended({
      name,
      ...(kind && { kind }),
      attributes: { ...attributes, temporalWorkflowId: workflowId, run_id: runId },
      context,
      ...(parent && { parent }),
      ...(link && { link }),
      startedAt,
      endedAt: Date.now(),
      ...(error !== undefined && { error }),
    });
  };
  result.then(
    (done) => end(failureOf(done)),
    (error: unknown) => end(isFailure(error) ? String((error as Error).message ?? error) : undefined),
  );
  return result;
}

/** A workflow that continues as new, or that somebody stopped, has not failed. */
function isFailure(error: unknown): boolean {
  return !(error instanceof ContinueAsNew) && !isCancellation(error);
}
