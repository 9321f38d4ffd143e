import { z } from 'zod';
import type { AgentMessage } from '../../domain/agent-run/message.ts';
import { isRuntimeEvent } from '../../domain/run/event.ts';
import { preview } from '../../domain/storable-text.ts';
import type { AgentContext, AgentToRun, RunAgentOptions } from './agent-context.ts';
import { AgentError } from './agent-error.ts';
import type { AskModel, AskOnce } from './ask-model.ts';
import { checkOptions, objectSchemaOption, schemaOption } from './check-options.ts';
import { milliseconds, timeoutSchema } from './duration.ts';
import { toJsonSchema } from './json-schema.ts';
import { createLanguageModel } from './language-model/create-language-model.ts';
import { type ObserveTool, unobserved } from './observe-tool.ts';
import { createRecorder } from './record/recorder.ts';
import type { Operation, RunStore } from './record/run-store.ts';
import { type Runtime, setRuntime } from './runtime-of.ts';
import { runSteps } from './steps/run-steps.ts';
import { checkValue } from './tools/check-value.ts';
import type { AgentTool } from './tools/define-tool.ts';
import type { CalledRun, OutsideCalls } from './tools/outside-calls.ts';
import { runTool } from './tools/run-tool.ts';
import { createToolRegistry } from './tools/tool-registry.ts';

/** What is known of a run when an attempt begins. */
export interface RunFacts {
  id: string;
  conversationId?: string | undefined;
  input: AgentMessage[];
  params: unknown;
  metadata: Record<string, unknown>;
  attempt: number;
  checkpoint: number;
  state: unknown;
  operations: Operation[];
}

export interface ContextParts {
  run: RunFacts;
  tools: readonly AgentTool[];
  signal: AbortSignal;
  /** Whether the run was cancelled, rather than its process stopped. */
  isCancelled(): boolean;
  store: RunStore;
  ask: AskModel;
  /** Absent where nobody looks. */
  observe?: ObserveTool;
  /** Absent where there is nothing outside, as in a test: then every call is permitted. */
  outside?: OutsideCalls | undefined;
}

const generateSchema = z.strictObject({
  model: z.string().optional(),
  tools: z.array(z.any()).optional(), // the registry complains of names that it does not know
  output: objectSchemaOption.optional(),
  reasoningEffort: z.enum(['low', 'medium', 'high']).optional(),
  maxOutputTokens: z.int().min(1).optional(),
  temperature: z.number().min(0).optional(),
});

const runSchema = z.strictObject({
  params: z.any().optional(),
  metadata: z.record(z.string(), z.any()).optional(),
  timeout: timeoutSchema.optional(),
  maxRetries: z.int().min(0).max(1000).optional(),
  output: schemaOption.optional(),
});

/** The context of one attempt of a coded agent's run. */
export function createAgentContext(parts: ContextParts): AgentContext {
  const { run, signal, store, ask, outside, observe = unobserved } = parts;
  const tools = createToolRegistry(parts.tools);
  const recorder = createRecorder({ runId: run.id, store, ...run });
  const askOnce: AskOnce = async (messages, options, listeners = {}) => {
    signal.throwIfAborted();
    const request = { messages, ...options, tools: options.tools.map(({ name }) => name) };
    return recorder.perform({ kind: 'model', name: 'generate', request }, () => ask([...messages], options, listeners));
  };
  const runtime: Runtime = { store, recorder, ask: askOnce, observe, stepsRunning: 0 };
  let { state, checkpoint } = run;

  const context: AgentContext = {
    runId: run.id,
    conversationId: run.conversationId,
    inputMessages: run.input,
    params: run.params,
    metadata: run.metadata,
    attempt: run.attempt,
    tools: parts.tools,
    signal,
    isCancelled: parts.isCancelled,
    model: createLanguageModel(askOnce),
    get state() {
      return state;
    },

    async emit(type, payload = null) {
      if (isRuntimeEvent(type)) {
        throw new AgentError(
          'InvalidValue',
          `Expected an event type of your own, got "${type}", which only Longhaul writes.`,
        );
      }
      await store.append([{ type, payload }]);
    },

    progress: (percent, text) => store.append([{ type: 'progress.update', percent, ...(text && { text }) }]),

    async checkpoint(kept) {
      signal.throwIfAborted();
      if (runtime.stepsRunning > 0) {
        throw new AgentError(
          'InvalidDefinition',
          'Expected no checkpoint while steps run, since each step is one. Put what the agent needs into the state of the steps.',
        );
      }
      const stored = structuredClone(kept); // what the agent changes afterwards is not part of it
      await store.checkpoint(checkpoint + 1, stored);
      checkpoint += 1;
      state = stored;
      recorder.next();
    },

    async generate(messages, options = {}) {
      checkOptions('The model cannot be asked', generateSchema, options);
      const { tools: named = [], output, ...settings } = options;
      const offered = named.map((one) => (typeof one === 'string' ? tools.get(one) : one));
      const answer = await askOnce(asMessages(messages), {
        ...settings,
        tools: offered.map((tool) => ({
          name: tool.name,
          description: tool.description,
          parameters: toJsonSchema(tool.parameters),
        })),
        ...(output && { answerSchema: { name: 'answer', schema: toJsonSchema(output) } }),
      });
      if (!output || answer.toolCalls.length) return { ...answer, output: undefined as never };
      return { ...answer, output: await checkValue(output, parseAnswer(answer.text), "The model's answer") };
    },

    async callTool(name, input) {
      signal.throwIfAborted();
      const tool = tools.get(name);
      const isHere = tool.on === 'agent' || !outside; // elsewhere, whoever makes the call keeps a record of it
      const before = async (id: string) => {
        await checkValue(tool.parameters, input, `The input of the tool "${name}"`);
        await outside?.permit({ id, tool, input });
      };
      const asked = {
        kind: 'tool',
        name,
        request: input,
        once: tool.hasSideEffects && isHere,
        elsewhere: !isHere,
        before,
      };
      return recorder.perform(asked, async (key) => {
        const call = { call: key, tool: name };
        if (isHere || tool.on === 'run')
          await store.append([{ type: 'tool.call', ...call, preview: previewOf(input) }]);
        try {
          const result = await observe({ id: key, name, input }, () =>
            isHere
              ? runTool(tool, input, { runId: run.id, callId: key, idempotencyKey: key, signal })
              : outside.make({ id: key, tool, input }),
          );
          return { result, events: [{ type: 'tool.result', ...call, failed: false, preview: previewOf(result) }] };
        } catch (error) {
          // A call that this process leaves is still open.
          if (!signal.aborted)
            await store.append([{ type: 'tool.result', ...call, failed: true, preview: previewOf(String(error)) }]);
          throw error;
        }
      });
    },

    async run<Output>(
      agent: string | AgentToRun<Output>,
      input: string | readonly AgentMessage[],
      options: RunAgentOptions<Output> = {},
    ) {
      signal.throwIfAborted();
      const key = typeof agent === 'string' ? agent : agent.key;
      if (!outside) {
        throw new AgentError(
          'UnknownAgent',
          `The agent "${key}" cannot be called here: agents can only be called in a run.`,
        );
      }
      const { output = typeof agent === 'string' ? undefined : agent.output, timeout, ...rest } = options;
      const messages = asMessages(input);
      checkOptions(`The run of "${key}" cannot start`, runSchema, options);
      const request = { input: messages, params: options.params };
      const timeoutMs = timeout === undefined ? undefined : milliseconds(timeout);
      const found = await recorder.perform({ kind: 'run', name: key, request, elsewhere: true }, async (id) => {
        const call = { call: id, tool: key };
        const asked = previewOf(messages.at(-1)?.content ?? '');
        await store.append([{ type: 'tool.call', ...call, preview: asked }]);
        const result = await outside.run({ id, agent: key, input: messages, timeoutMs, output, ...rest });
        return { result, events: [{ type: 'tool.result', ...call, failed: false, preview: previewOf(result.output) }] };
      });
      return found as CalledRun<Output>; // its schema checked it
    },

    once: (name, work) =>
      recorder.perform({ kind: 'once', name }, async (idempotencyKey) => ({
        result: await work({ idempotencyKey, signal }),
      })),

    steps: (items, options) => runSteps(context, items, options),
  };
  setRuntime(context, runtime);
  return context;
}

function asMessages(messages: string | readonly AgentMessage[]): AgentMessage[] {
  return typeof messages === 'string' ? [{ role: 'user', content: messages }] : [...messages];
}

/** @throws {AgentError} `InvalidValue` */
function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AgentError('InvalidValue', `Expected the model to answer with JSON, got: ${preview(text, 200)}`, {
      cause: error,
    });
  }
}

function previewOf(value: unknown): string {
  return preview(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 160);
}
