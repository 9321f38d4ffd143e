import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { type WorkflowInterceptorsFactory, workflowInfo } from '@temporalio/workflow';
import { type AgentRunRequest, failureOfRun } from '../../domain/agent-run/run-request.ts';
import type { SpanStart } from '../../domain/telemetry/span.ts';
import {
  formatTraceparent,
  parseTraceparent,
  type TraceCarrier,
  type TraceContext,
  traceHeader,
} from '../../domain/telemetry/trace-context.ts';
import { agentSpan } from '../agent/agent-span.ts';
import { atPlace, currentPlace, inSpan, isTraced } from './spans.ts';

/** Workflows that outlast any trace: what they do for one message or session has a trace of its own. */
const lasting = ['chatWorkflow', 'projectWorkflow'];

/** Workflows whose trace is their own, linked to the span that led to them. */
const separate = ['initializerWorkflow', 'sessionWorkflow'];

/** Carries the trace from who starts or signals a workflow through its spans to its activities and children. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  if (!isTraced) return {};
  const { workflowType } = workflowInfo();
  /** What the next run continues. */
  let origin: TraceContext | undefined;
  return {
    inbound: [
      {
        execute(input, next) {
          const { context, continued } = readHeader(input.headers);
          origin = context;
          if (lasting.includes(workflowType)) return atPlace(context ? { cause: context } : {}, () => next(input));
          const isSeparate = separate.includes(workflowType) && !continued;
          const work = () =>
            inSpan(
              { ...spanOf(workflowType, input.args), link: isSeparate ? context : undefined },
              () => {
                if (isSeparate || !context) origin = currentPlace().context;
                return next(input);
              },
              workflowType === 'agentRunWorkflow' ? failureOfRun : undefined,
            );
          return atPlace(context && !isSeparate ? { context } : {}, work);
        },
        handleSignal: (input, next) => atPlace(placeOf(input.headers), () => next(input)),
        handleUpdate: (input, next) => atPlace(placeOf(input.headers), () => next(input)),
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
        startChildWorkflowExecution: (input, next) => next({ ...input, headers: withTrace(input.headers, true) }),
        continueAsNew: (input, next) =>
          next(origin ? { ...input, headers: { ...input.headers, ...header(origin, true) } } : input),
      },
    ],
  };
};

/** A run of a user's own agent is a workflow. */
function spanOf(workflowType: string, args: unknown[]): SpanStart {
  if (workflowType !== 'agentRunWorkflow') return { name: `RunWorkflow:${workflowType}` };
  const { runId, agent } = args[0] as AgentRunRequest;
  return agentSpan({ owner: { kind: 'run', id: runId }, runId, role: 'agent' }, agent);
}

function readHeader(headers: Headers): { context?: TraceContext | undefined; continued?: boolean | undefined } {
  const payload = headers[traceHeader];
  if (!payload) return {};
  const { traceparent, continued } = defaultPayloadConverter.fromPayload<TraceCarrier>(payload);
  return { context: parseTraceparent(traceparent), continued };
}

function placeOf(headers: Headers) {
  const { context } = readHeader(headers);
  return context ? { context } : currentPlace();
}

/** A child is told the cause as well, where there is no span. */
function withTrace(headers: Headers, orCause = false): Headers {
  const { context, cause } = currentPlace();
  const place = context ?? (orCause ? cause : undefined);
  return place ? { ...headers, ...header(place) } : headers;
}

function header(context: TraceContext, continued?: boolean): Headers {
  const carrier: TraceCarrier = { traceparent: formatTraceparent(context), ...(continued && { continued }) };
  return { [traceHeader]: defaultPayloadConverter.toPayload(carrier) };
}
