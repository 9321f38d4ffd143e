import type { Context } from '@temporalio/activity';
import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { failureOfRun } from '../../domain/agent-run/run-request.ts';
import type { Telemetry } from '../../domain/telemetry/telemetry.ts';
import { parseTraceparent, type TraceCarrier, traceHeader } from '../../domain/telemetry/trace-context.ts';

/** The activities that end a run, and what kind it is. */
const endings: Record<string, string> = { endRun: 'project', endExchange: 'chat', endDelegate: 'delegate' };

/** Makes a span of each attempt of a traced activity, counts runs that end, and adds to its log what it is about. */
export function traceActivity({ info }: Pick<Context, 'info'>, { tracer, metrics }: Telemetry): ActivityInterceptors {
  const { activityType: name, activityId, attempt, workflowExecution } = info;
  /** A try of a user's agent: its failure is returned, and it counts its tries itself. */
  const isTry = name === 'runCodedAgent';
  let about: Record<string, unknown> = {};
  return {
    inbound: {
      async execute(input, next) {
        const [first] = input.args as [Record<string, unknown> | undefined];
        about = aboutOf(first);
        const header = tracer.isOn ? input.headers[traceHeader] : undefined;
        const parent =
          header && parseTraceparent(defaultPayloadConverter.fromPayload<TraceCarrier>(header).traceparent);
        const attributes = {
          temporalActivityId: activityId,
          ...(workflowExecution && {
            temporalWorkflowId: workflowExecution.workflowId,
            run_id: workflowExecution.runId,
          }),
          'longhaul.attempt': isTry ? Number(first?.attempt) : attempt,
        };
        const result = parent
          ? await tracer.inSpan({ name: `RunActivity:${name}`, attributes, parent }, async (span) => {
              const returned = await next(input);
              const failure = isTry ? failureOfRun(returned) : undefined;
              if (failure !== undefined) span.end(Object.assign(new Error(failure), { type: 'agent_failed' }));
              return returned;
            })
          : await next(input);
        const kind = endings[name];
        if (kind !== undefined) metrics.runEnded(kind, String(first?.status));
        return result;
      },
    },
    outbound: {
      getLogAttributes(input, next) {
        const span = tracer.current();
        return next({ ...input, ...about, ...(span && { trace_id: span.traceId, span_id: span.spanId }) });
      },
    },
  };
}

/** Temporal's own `runId` in its log attributes is that of the workflow; Longhaul's is `run`. */
function aboutOf({ runId, turn, projectId, chatId, owner }: Record<string, unknown> = {}): Record<string, unknown> {
  const { kind, id } = (owner ?? {}) as { kind?: string; id?: string };
  return {
    ...(runId !== undefined && { run: runId }),
    ...(turn !== undefined && { turn }),
    ...(projectId !== undefined && { project: projectId }),
    ...(chatId !== undefined && { chat: chatId }),
    ...(kind !== undefined && { [kind]: id }),
  };
}
