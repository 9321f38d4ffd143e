import { join } from 'node:path';
import { traceOf } from '../../activities/tools/trace-of.ts';
import { loadPrompts } from '../../agents/load-prompts.ts';
import type { AgentContext, Generated } from '../../agents/runtime/agent-context.ts';
import { renderAgentInstructions, submitDescription } from '../../agents/runtime/definition/agent-instructions.ts';
import type { Agent, AgentResult } from '../../agents/runtime/definition/define-agent.ts';
import { type AgentTool, defineTool } from '../../agents/runtime/tools/define-tool.ts';
import { packageRoot } from '../../config/package-root.ts';
import { submitTool } from '../../domain/agent-run/declaration.ts';
import type { AgentMessage } from '../../domain/agent-run/message.ts';
import { type AgentRunLimits, defaultAgentRunLimits, findReachedRunLimit } from '../../domain/agent-run/run-request.ts';
import { defaultStuckLimits, findLoop, type LoopState, remember } from '../../domain/run/loop-detection.ts';
import { preview } from '../../domain/storable-text.ts';
import { executeCall, submitResult } from './declared-calls.ts';

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
        ? await submitResult(context, agent, id, call, toolCalls.length)
        : await executeCall(context, id, call, { turn: loop.turn, position });
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

function submissionOf(output: NonNullable<Agent['output']>): AgentTool {
  return defineTool({ name: submitTool, description: submitDescription, parameters: output, run: () => null });
}

/** Prompts of a person's own, in a data folder, have no part in tests. */
function shippedPrompts() {
  return loadPrompts(join(packageRoot(), 'agents', 'no-prompts-of-their-own'));
}
