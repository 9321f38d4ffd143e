import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { formatTraceparent, type TraceCarrier, traceHeader } from '../../domain/telemetry/trace-context.ts';
import type { Tracer } from '../../domain/telemetry/tracer.ts';

/** Makes a span of what starts a workflow or is sent to one, which its work continues. */
export function traceInterceptor(tracer: Tracer): WorkflowClientInterceptor {
  function traced<Input extends { headers: Headers }, Result>(
    name: string,
    workflowId: string | undefined,
    input: Input,
    next: (input: Input) => Promise<Result>,
  ): Promise<Result> {
    const attributes = workflowId === undefined ? {} : { temporalWorkflowId: workflowId };
    return tracer.inSpan({ name, kind: 'client', attributes }, () =>
      next({ ...input, headers: { ...input.headers, ...header(tracer) } }),
    );
  }
  return {
    start: (input, next) => traced(`StartWorkflow:${input.workflowType}`, input.options.workflowId, input, next),
    startWithDetails: (input, next) =>
      traced(`StartWorkflow:${input.workflowType}`, input.options.workflowId, input, next),
    signal: (input, next) =>
      traced(`SignalWorkflow:${input.signalName}`, input.workflowExecution.workflowId, input, next),
    signalWithStart: (input, next) =>
      traced(`SignalWithStartWorkflow:${input.workflowType}`, input.options.workflowId, input, next),
    startUpdate: (input, next) =>
      traced(`UpdateWorkflow:${input.updateName}`, input.workflowExecution.workflowId, input, next),
    startUpdateWithStart(input, next) {
      const { updateName, workflowStartOptions, workflowStartHeaders, updateHeaders } = input;
      return tracer.inSpan(
        {
          name: `UpdateWithStartWorkflow:${updateName}`,
          kind: 'client',
          attributes: { temporalWorkflowId: workflowStartOptions.workflowId },
        },
        () =>
          next({
            ...input,
            workflowStartHeaders: { ...workflowStartHeaders, ...header(tracer) },
            updateHeaders: { ...updateHeaders, ...header(tracer) },
          }),
      );
    },
  };
}

function header(tracer: Tracer): Headers {
  const context = tracer.current();
  if (!context) return {};
  const carrier: TraceCarrier = { traceparent: formatTraceparent(context) };
  return { [traceHeader]: defaultPayloadConverter.toPayload(carrier) };
}
