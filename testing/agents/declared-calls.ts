import { parseJson } from '../../activities/tools/parse-arguments.ts';
import type { AgentContext } from '../../agents/runtime/agent-context.ts';
import type { Agent } from '../../agents/runtime/definition/define-agent.ts';
import { runtimeOf } from '../../agents/runtime/runtime-of.ts';
import { checkValue } from '../../agents/runtime/tools/check-value.ts';
import type { AgentTool } from '../../agents/runtime/tools/define-tool.ts';
import { runTool } from '../../agents/runtime/tools/run-tool.ts';
import { submitTool } from '../../domain/agent-run/declaration.ts';
import type { RequestedToolCall } from '../../domain/run/message.ts';
import { preview } from '../../domain/storable-text.ts';

/** What the model is told of a call. */
interface CallResult {
  text: string;
  failed: boolean;
  /** Set if the call submitted the agent's result. */
  submitted?: { output: unknown };
}

/** Executes one call, once; a failure is told to the model. */
export async function executeCall(
  context: AgentContext,
  id: string,
  call: RequestedToolCall,
  place: { turn: number; position: number },
): Promise<CallResult> {
  const { recorder, store } = runtimeOf(context);
  const tool = context.tools.find(({ name }) => name === call.name);
  const read = parseJson(call.name, call.arguments);
  const shown = { call: id, tool: preview(call.name, 60) };
  const ended = (result: CallResult) => ({
    result,
    events: [{ type: 'tool.result' as const, ...shown, failed: result.failed, preview: preview(result.text, 160) }],
  });
  const asked = {
    ...{ kind: 'tool', name: call.name, request: { ...place, arguments: call.arguments } },
    once: tool?.hasSideEffects ?? false,
  };
  try {
    return await recorder.perform(asked, async () => {
      if (!tool) {
        const names = context.tools.map(({ name }) => name).join(', ') || 'none';
        return ended({ failed: true, text: `There is no tool "${call.name}". You have: ${names}.` });
      }
      if ('complaint' in read) return ended({ failed: true, text: read.complaint });
      await store.append([{ type: 'tool.call', ...shown, preview: preview(call.arguments, 160) }]);
      return ended(await runOne(context, id, tool, read.value));
    });
  } catch (error) {
    if (context.signal.aborted) throw error;
    const told = { failed: true, text: messageOf(error) }; // cut off by a crash
    await store.append(ended(told).events);
    return told;
  }
}

async function runOne(context: AgentContext, id: string, tool: AgentTool, input: unknown): Promise<CallResult> {
  const { runId, signal } = context;
  try {
    const result = await runTool(tool, input, { runId, callId: id, idempotencyKey: id, signal });
    return { failed: false, text: typeof result === 'string' ? result : (JSON.stringify(result) ?? 'Done.') };
  } catch (error) {
    if (signal.aborted) throw error;
    return { failed: true, text: messageOf(error) };
  }
}

/** Checks what the agent submits as its result. */
export async function submitResult(
  context: AgentContext,
  { output }: Agent,
  id: string,
  call: RequestedToolCall,
  callsInTurn: number,
): Promise<CallResult> {
  const result = await checkSubmission(output, call, callsInTurn);
  const { failed, text } = result;
  await runtimeOf(context).store.append([
    { type: 'tool.result', call: id, tool: submitTool, failed, preview: preview(text, 160) },
  ]);
  return result;
}

async function checkSubmission(
  output: Agent['output'],
  call: RequestedToolCall,
  callsInTurn: number,
): Promise<CallResult> {
  const refuse = (text: string) => ({ failed: true, text });
  if (callsInTurn > 1) {
    return refuse(`${submitTool} ends your run, so it must be the only call of its turn. Call it again alone.`);
  }
  const read = parseJson(call.name, call.arguments);
  if ('complaint' in read) return refuse(read.complaint);
  if (!output) return refuse('Your result is what you say. Answer in words.');
  try {
    const checked = await checkValue(output, read.value, 'Your result');
    return { failed: false, text: 'Your result is submitted.', submitted: { output: checked } };
  } catch (error) {
    return refuse(messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
