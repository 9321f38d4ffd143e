import { AgentError } from '../../agents/runtime/agent-error.ts';
import { checkValue } from '../../agents/runtime/tools/check-value.ts';
import type { AgentTool } from '../../agents/runtime/tools/define-tool.ts';
import { runTool } from '../../agents/runtime/tools/run-tool.ts';
import { addEvents } from '../../db/events/add-to-owner.ts';
import type { OutsidePlace } from '../../domain/agent-run/declaration.ts';
import type { ToolWait } from '../../domain/agent-run/tool-wait.ts';
import { preview } from '../../domain/storable-text.ts';
import { retryableFailure } from '../failures.ts';
import type { ActivitySignals, Heartbeat } from '../heartbeat.ts';
import { observeCall } from '../telemetry/observe-call.ts';
import { parseJson } from '../tools/parse-arguments.ts';
import { type AgentToolCall, type CallPlace, createCallAgent } from './children/call-agent.ts';
import type { HostDependencies } from './host-dependencies.ts';
import { createOpenCall } from './open-call.ts';
import { createPermitTool } from './permit-tool.ts';
import type { CallResult } from './submit-result.ts';

/** A call of a tool that the agent has. */
export interface AgentCall {
  /** The same at each attempt. */
  id: string;
  tool: AgentTool;
  /** Its input, as the model wrote it. */
  input: string;
}

/** Where in its run a call is made, and how that is noted. */
export interface PlaceToCall extends CallPlace {
  /** Notes that the call begins; false if an earlier attempt noted it. */
  begin(): Promise<boolean>;
}

/** Makes a call of a declared agent's tool, or says what it waits for. */
export function createExecuteCall(dependencies: HostDependencies) {
  const { database, agent, answers } = dependencies;
  const permitTool = createPermitTool(dependencies);
  const openCall = createOpenCall(dependencies);
  const callAgent = createCallAgent(dependencies);

  return async (
    place: PlaceToCall,
    { id, tool, input }: AgentCall,
    signals: Heartbeat,
  ): Promise<CallResult | ToolWait> => {
    const read = parseJson(tool.name, input);
    if ('complaint' in read) return failure(read.complaint);
    let value: unknown;
    try {
      value = await checkValue(tool.parameters, read.value, `The input of the tool "${tool.name}"`);
    } catch (error) {
      return failure(messageOf(error));
    }
    const permit = await permitTool(place.runId, agent.key, { id, tool, input });
    if (permit.verdict === 'no') return failure(permit.text);
    if (permit.verdict === 'waits') {
      const { request, until } = permit;
      return { waits: 'answer', request, ...(until !== undefined && { until }) };
    }
    if (tool.on === 'agent') return runHere(place, { id, tool, input }, read.value, signals);
    if (tool.calls) return runAgent(place, { id, tool: { ...tool, calls: tool.calls }, value }, signals);
    const { endedAt, result, failed } = await openCall(place.runId, { id, tool, value });
    if (endedAt) return { failed, text: textOf(result), value: result };
    return { waits: 'outside', place: tool.on as OutsidePlace, call: id }; // the other places are above
  };

  /** Has another agent do what the call asks for. */
  async function runAgent(
    place: PlaceToCall,
    call: AgentToolCall,
    heartbeat: Heartbeat,
  ): Promise<CallResult | ToolWait> {
    const { tool } = call;
    if (await place.begin()) await addCallEvent(place.runId, { ...call, input: JSON.stringify(call.value) });
    try {
      const done = await callAgent(place, call, heartbeat);
      if ('waits' in done) return done;
      const { output } = done;
      if (!tool.calls.handsOff) return { failed: false, text: textOf(output), value: output };
      const submitted = agent.output
        ? await checkValue(agent.output, output, `The result of ${tool.calls.agent.key}`)
        : output;
      return { failed: false, text: textOf(output), submitted: { output: submitted } };
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      return failure(error.message);
    }
  }

  /** Runs a tool in this process. */
  async function runHere(
    { runId, begin }: PlaceToCall,
    { id, tool, input }: AgentCall,
    value: unknown,
    { cancel, detach }: ActivitySignals,
  ): Promise<CallResult> {
    const isFirst = await begin();
    if (!isFirst && tool.hasSideEffects) {
      const cutOff = `An earlier attempt of this call was cut off: whether ${tool.name} took effect is not known.`;
      return failure(`${cutOff} Find out before you call it again.`);
    }
    await addCallEvent(runId, { id, tool, input });
    const signal = AbortSignal.any([cancel, detach]);
    const observed = { runId, role: 'agent' as const, agent: agent.key, owner: { kind: 'run' as const, id: runId } };
    const call = { id, name: tool.name, arguments: input };
    try {
      return await observeCall(dependencies.telemetry, observed, call, async () => {
        const result = await runTool(tool, value, { runId, callId: id, idempotencyKey: id, signal });
        return { failed: false, text: textOf(result), value: result };
      });
    } catch (error) {
      if (detach.aborted) {
        throw retryableFailure('Internal', `The process of the agent stopped: ${preview(messageOf(error), 300)}`);
      }
      return failure(cancel.aborted ? 'The call was cancelled.' : messageOf(error));
    }
  }

  async function addCallEvent(runId: string, { id, tool, input }: AgentCall): Promise<void> {
    const shown = { call: id, tool: tool.name, preview: preview(input, 160) };
    await addEvents(database, { kind: 'run', id: runId }, [{ type: 'tool.call', ...shown }]);
    answers.tellStored(runId);
  }
}

/** What a model reads of a tool's result. */
export function textOf(result: unknown): string {
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? 'Done.');
}

function failure(text: string): CallResult {
  return { failed: true, text };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
