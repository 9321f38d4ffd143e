import { join } from 'node:path';
import { parseJson } from '../../activities/tools/parse-arguments.ts';
import { traceOf } from '../../activities/tools/trace-of.ts';
import { loadPrompts } from '../../agents/load-prompts.ts';
import type { AgentContext, Generated } from '../../agents/runtime/agent-context.ts';
import { renderAgentInstructions, submitDescription } from '../../agents/runtime/agent-instructions.ts';
import { checkValue } from '../../agents/runtime/check-value.ts';
import type { Agent, AgentResult } from '../../agents/runtime/define-agent.ts';
import { type AgentTool, defineTool } from '../../agents/runtime/define-tool.ts';
import { runTool } from '../../agents/runtime/run-tool.ts';
import { runtimeOf } from '../../agents/runtime/runtime-of.ts';
import { packageRoot } from '../../config/package-root.ts';
import { submitTool } from '../../domain/agent-run/declaration.ts';
import type { AgentMessage } from '../../domain/agent-run/message.ts';
import { type AgentRunLimits, defaultAgentRunLimits, findReachedRunLimit } from '../../domain/agent-run/run-request.ts';
import { defaultStuckLimits, findLoop, type LoopState, remember } from '../../domain/run/loop-detection.ts';
import type { RequestedToolCall } from '../../domain/run/message.ts';
import { preview } from '../../domain/storable-text.ts';

/** A failure of a declared agent's run, with whether another try may help. */
export class DeclaredRunError extends Error {
  readonly retryable: boolean;
  constructor(message: string, retryable = false) {
    super(message);
    this.retryable = retryable;
  }
}

/** Where a declared agent's loop is; a retry goes on from it. */
export interface DeclaredLoop extends LoopState {
  messages: AgentMessage[];
  idleAnswers: number;
  spent: AgentRunLimits;
}

export function startOfLoop(): DeclaredLoop {
  return { turn: 1, traces: [], messages: [], idleAnswers: 0, spent: { modelCalls: 0, toolCalls: 0, tokens: 0 } };
}

/** A model that answers three times in a row without getting anything done will not do so. */
const maxIdleAnswers = 3;

interface CallResult {
  text: string;
  failed: boolean;
  /** Set if the call submitted the agent's result. */
  submitted?: { output: unknown };
}

/**
 * Runs a declared agent by the rules of its workflow (workflows/agent-run/run-declared-agent.ts), in memory: query, execute, append, until it answers in
 * words or submits its result.
 * @throws {DeclaredRunError} at a limit, when the agent is stuck or gets nothing done, and if the model refuses.
 */
export async function runDeclaredLoop(
  context: AgentContext,
  agent: Agent,
  loop: DeclaredLoop,
  limits: Partial<AgentRunLimits> = {},
): Promise<AgentResult> {
  const most = { ...defaultAgentRunLimits, ...agent.limits, ...limits };
  const { messages, spent } = loop;
  const submits = agent.output !== undefined;
  const offered = agent.output ? [...context.tools, submissionOf(agent.output)] : [...context.tools];
  if (!messages.length) {
    messages.push({ role: 'system', content: renderAgentInstructions(shippedPrompts(), agent.instructions, submits) });
    messages.push(...context.inputMessages);
  }
  loop.idleAnswers = 0;
  for (; ; loop.turn += 1) {
    const reached = findReachedRunLimit(spent, most);
    if (reached !== undefined) throw new DeclaredRunError(reached);
    const answer = await context.generate(messages, { tools: offered });
    const { text, toolCalls, finish, usage } = answer;
    if (finish === 'refusal') throw new DeclaredRunError(`The model refused to answer: ${preview(text, 300)}`);
    spent.modelCalls += 1;
    spent.tokens += (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
    messages.push({ role: 'assistant', content: text, ...(toolCalls.length && { toolCalls }) });
    if (!toolCalls.length) {
      if (!submits && finish === 'done' && text.trim()) return { finalOutput: text, finalMessages: messages };
      loop.idleAnswers += 1;
      if (loop.idleAnswers < maxIdleAnswers) continue;
      const why = submits ? 'without submitting its result' : 'empty or cut off at the token limit';
      throw new DeclaredRunError(`The model answered ${maxIdleAnswers} times in a row ${why}.`, true);
    }
    loop.idleAnswers = 0;
    const result = await executeCalls(context, agent, loop, answer, most.toolCalls);
    if (result) return { ...result, finalMessages: messages };
  }
}

/** Executes the calls of an answer in order; returns the result if one of them submitted it. */
async function executeCalls(
  context: AgentContext,
  agent: Agent,
  loop: DeclaredLoop,
  { toolCalls }: Generated,
  maxCalls: number,
): Promise<AgentResult | undefined> {
  const allowed = toolCalls.slice(0, maxCalls - loop.spent.toolCalls);
  loop.spent.toolCalls += toolCalls.length;
  let submitted: { output: unknown } | undefined;
  for (const [position, call] of allowed.entries()) {
    const id = `${context.runId}.${loop.turn}.${position}`;
    const result =
      call.name === submitTool
        ? await submit(context, agent, id, call, toolCalls.length)
        : await execute(context, id, call, { turn: loop.turn, position });
    submitted ??= result.submitted;
    loop.messages.push({ role: 'tool', content: result.text, toolCallId: call.id });
    loop.traces = remember(loop.traces, [traceOf(call, { ...result, id })], defaultStuckLimits);
  }
  if (submitted) return { finalOutput: submitted.output };
  const count = findLoop(loop.traces, defaultStuckLimits);
  if (count === undefined) return undefined;
  if (loop.warned) {
    const { name } = toolCalls.at(-1) ?? { name: '' };
    throw new DeclaredRunError(
      `The agent called ${name} ${count} times in a row with the same arguments and the same result.`,
    );
  }
  loop.warned = true;
  loop.traces = [];
  return undefined;
}

/** Executes one call, once; a failure is told to the model. */
async function execute(
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
async function submit(
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

function submissionOf(output: NonNullable<Agent['output']>): AgentTool {
  return defineTool({ name: submitTool, description: submitDescription, parameters: output, run: () => null });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Prompts of a person's own, in a data folder, have no part in tests. */
function shippedPrompts() {
  return loadPrompts(join(packageRoot(), 'agents', 'no-prompts-of-their-own'));
}
