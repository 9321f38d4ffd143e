import { checkValue } from '../../agents/runtime/check-value.ts';
import { runTool } from '../../agents/runtime/run-tool.ts';
import { createToolRegistry } from '../../agents/runtime/tool-registry.ts';
import { keepOutput } from '../../db/agent-runs/attempts.ts';
import { isAlreadyThere } from '../../db/connection/query-errors.ts';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';
import { addEvents, addToOwner } from '../../db/events/add-to-owner.ts';
import { beginToolCall } from '../../db/transcript/begin-tool-call.ts';
import { readOutcome } from '../../db/transcript/read-outcome.ts';
import { insertMessage, insertToolCall, readMessagesAt } from '../../db/transcript/transcript.ts';
import { submitTool } from '../../domain/agent-run/declaration.ts';
import type { RequestedToolCall } from '../../domain/run/message.ts';
import { preview } from '../../domain/storable-text.ts';
import { retryableFailure } from '../failures.ts';
import { type ActivitySignals, withHeartbeat } from '../heartbeat.ts';
import { describeCutOff } from '../model/skipped-calls.ts';
import { parseJson } from '../tools/parse-arguments.ts';
import type { ToolSummary, ToolTurn } from '../tools/run-tool.ts';
import { traceOf } from '../tools/trace-of.ts';
import type { HostDependencies } from './host-dependencies.ts';

interface Result {
  text: string;
  failed: boolean;
  /** The agent's result, if the call submitted it. */
  submitted?: { output: unknown } | undefined;
}

/** The activity `runAgentTool`: executes one tool call of a declared agent and stores its result; a call that has a result is not executed again. */
export function createRunAgentTool({ database, agent, answers }: HostDependencies) {
  const tools = createToolRegistry(agent.tools);

  return async function runAgentTool(input: ToolTurn): Promise<ToolSummary> {
    const { runId, turn, position, messageNumber } = input;
    const answerNumber = messageNumber - 1 - position; // the results follow their answer, in the order of its calls
    const [answer, stored] = await readMessagesAt(database, runId, [answerNumber, messageNumber]);
    const call = answer?.content.toolCalls?.[position];
    if (!answer || !call) throw new Error(`Expected call ${position} in turn ${turn} of ${runId}, found none.`);
    const id = `${runId}.${turn}.${position}`;
    if (stored) return summarize(id, call, { text: stored.content.text, ...(await readOutcome(database, input)) });
    const cutOff = describeCutOff(answer, position);
    const calls = answer.content.toolCalls?.length ?? 0;
    const result = await withHeartbeat((signals) =>
      answers.attend(runId, async () => {
        if (cutOff !== undefined) return { text: cutOff, failed: true };
        return call.name === submitTool ? submit(call, calls) : execute(input, id, call, signals);
      }),
    );
    await store(input, id, call, result);
    answers.tellStored(runId);
    return summarize(id, call, result);
  };

  async function execute(
    { runId, turn, position }: ToolTurn,
    callId: string,
    call: RequestedToolCall,
    { cancel, detach }: ActivitySignals,
  ): Promise<Result> {
    const tool = tools.list().find(({ name }) => name === call.name);
    if (!tool) {
      const names = tools.list().map(({ name }) => name);
      return { failed: true, text: `There is no tool "${call.name}". You have: ${names.join(', ') || 'none'}.` };
    }
    const read = parseJson(call.name, call.arguments);
    if ('complaint' in read) return { failed: true, text: read.complaint };
    const isFirst = await beginToolCall(database, { runId, turn, position, name: tool.name });
    if (!isFirst && tool.hasSideEffects) {
      const cutOff = `An earlier attempt of this call was cut off: whether ${tool.name} took effect is not known.`;
      return { failed: true, text: `${cutOff} Find out before you call it again.` };
    }
    const shown = { call: callId, tool: tool.name, preview: preview(call.arguments, 160) };
    await addEvents(database, { kind: 'run', id: runId }, [{ type: 'tool.call', ...shown }]);
    answers.tellStored(runId);
    const signal = AbortSignal.any([cancel, detach]);
    try {
      const result = await runTool(tool, read.value, { runId, callId, idempotencyKey: callId, signal });
      return { failed: false, text: typeof result === 'string' ? result : (JSON.stringify(result) ?? 'Done.') };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (detach.aborted) throw retryableFailure('Internal', `The process of the agent stopped: ${preview(why, 300)}`);
      return { failed: true, text: cancel.aborted ? 'The call was cancelled.' : why };
    }
  }

  /** Checks what the agent submits as its result. */
  async function submit(call: RequestedToolCall, callsInTurn: number): Promise<Result> {
    if (callsInTurn > 1) {
      return {
        failed: true,
        text: `${submitTool} ends your run, so it must be the only call of its turn. Call it again alone.`,
      };
    }
    const read = parseJson(call.name, call.arguments);
    if ('complaint' in read) return { failed: true, text: read.complaint };
    if (!agent.output) return { failed: true, text: 'Your result is what you say. Answer in words.' };
    try {
      const output = await checkValue(agent.output, read.value, 'Your result');
      return { failed: false, text: 'Your result is submitted.', submitted: { output } };
    } catch (error) {
      return { failed: true, text: error instanceof Error ? error.message : String(error) };
    }
  }

  async function store(input: ToolTurn, id: string, call: RequestedToolCall, result: Result): Promise<void> {
    const { runId, turn, position, messageNumber } = input;
    const { text, failed, submitted } = result;
    const name = preview(call.name, 60);
    const { resultHash } = traceOf(call, { text, failed, id });
    try {
      await retryUntilAvailable(AbortSignal.timeout(600_000), () =>
        addToOwner(database, input.owner, {
          events: [{ type: 'tool.result', call: id, tool: name, failed, preview: preview(text, 160) }],
          rows: (query) => [
            insertMessage(query, {
              runId,
              number: messageNumber,
              turn,
              role: 'tool',
              content: { text, toolCallId: call.id },
            }),
            insertToolCall(query, { runId, turn, position, name, failed, resultHash, endedAt: new Date() }),
            ...(submitted ? [keepOutput(query, runId, submitted.output)] : []),
          ],
        }),
      );
    } catch (error) {
      if (!isAlreadyThere(error)) throw error; // an attempt that was presumed dead has stored its result meanwhile; the first one stays
    }
  }
}

function summarize(id: string, call: RequestedToolCall, { text, failed }: Result): ToolSummary {
  return {
    ...traceOf(call, { text, failed, id }),
    failed,
    preview: preview(text, 400),
    ...(call.name === submitTool && !failed && { ends: 'FINISHED' as const }),
  };
}
