import { z } from 'zod';
import type { AgentContext } from '../../agents/runtime/agent-context.ts';
import { checkOptions } from '../../agents/runtime/check-options.ts';
import { createAgentContext } from '../../agents/runtime/create-agent-context.ts';
import type { AgentTool } from '../../agents/runtime/tools/define-tool.ts';
import type { AgentMessage } from '../../domain/agent-run/message.ts';
import { messageSchema } from '../../domain/agent-run/message-schema.ts';
import { MemoryRunStore, type RecordedRun } from './memory-run-store.ts';
import { type ScriptedAnswers, type ScriptOrAnswers, toScript } from './scripted-answers.ts';
import { type ToolExecution, watchTools } from './watched-tools.ts';

export interface TestContextOptions<Params, State> {
  /** A person's words, or a conversation; empty if absent. */
  inputMessages?: string | readonly AgentMessage[];
  params?: Params;
  /** What the last checkpoint kept. */
  state?: State;
  metadata?: Record<string, unknown>;
  conversationId?: string;
  runId?: string;
  /** The number of this try; 1 if absent. */
  attempt?: number;
  tools?: readonly AgentTool[];
  /** What `generate` is answered; without it each call of it throws. */
  model?: ScriptOrAnswers;
}

/** A context for a test, with all that was done with it. */
export type TestContext<Params = unknown, State = unknown> = AgentContext<Params, State> & {
  readonly recorded: RecordedRun;
  /** The tools' functions that ran. */
  readonly executions: readonly ToolExecution[];
  /** What the model was asked, and the answers that are left. */
  readonly script: ScriptedAnswers;
  /** Cancels the run, as a person would. */
  cancel(): void;
};

/** What every test may say of its run. */
export const testedRunShape = {
  model: z.any().optional(), // the script checks its answers
  params: z.any().optional(),
  metadata: z.record(z.string(), z.any()).optional(),
  conversationId: z.string().optional(),
  runId: z.string().min(1).optional(),
  tools: z.array(z.any()).optional(),
};

const optionsSchema = z.strictObject({
  ...testedRunShape,
  inputMessages: z.union([z.string(), z.array(messageSchema)]).optional(),
  state: z.any().optional(),
  attempt: z.int().min(1).optional(),
});

/** The context that an agent's function is given, over a store in memory; nothing else of Longhaul is needed. */
export function createTestContext<Params = unknown, State = unknown>(
  options: TestContextOptions<Params, State> = {},
): TestContext<Params, State> {
  checkOptions('The context of the test cannot be made', optionsSchema, options);
  const { inputMessages = [], runId = 'test-run', tools = [], attempt = 1 } = options;
  const script = toScript(options.model);
  const store = new MemoryRunStore();
  const executions: ToolExecution[] = [];
  const cancelling = new AbortController();
  const context = createAgentContext({
    run: {
      ...{ id: runId, conversationId: options.conversationId, input: toMessages(inputMessages), attempt },
      ...{ params: options.params ?? null, metadata: options.metadata ?? {} },
      ...{ checkpoint: 0, state: options.state, operations: [] },
    },
    tools: watchTools(tools, executions),
    signal: cancelling.signal,
    isCancelled: () => cancelling.signal.aborted,
    store,
    ask: script.of(runId),
  });
  const cancel = () => cancelling.abort(new Error('The run was cancelled.'));
  // The same object, since steps recognize the context that they are given.
  return Object.assign(context, { recorded: store.recorded, executions, script, cancel }) as TestContext<Params, State>;
}

export function toMessages(input: string | readonly AgentMessage[]): AgentMessage[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : [...input];
}
