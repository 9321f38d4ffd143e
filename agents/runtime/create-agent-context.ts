import type { AgentMessage } from '../../domain/agent-run/message.ts';
import { isRuntimeEvent } from '../../domain/run/event.ts';
import { preview } from '../../domain/storable-text.ts';
import type { AgentContext, AgentToRun, RunAgentOptions } from './agent-context.ts';
import { AgentError } from './agent-error.ts';
import { answerSchemaOf } from './answer-schema.ts';
import type { AskModel, AskOnce } from './ask-model.ts';
import { milliseconds } from './duration.ts';
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
import { createToolRegistry, schemaOf } from './tools/tool-registry.ts';

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

    async generate(messages, { tools: named = [], output, ...settings } = {}) {
      const offered = named.map((one) => (typeof one === 'string' ? tools.get(one) : one));
      const answer = await askOnce(asMessages(messages), {
        ...settings,
        tools: offered.map((tool) => ({
          name: tool.name,
          description: tool.description,
          parameters: schemaOf(tool),
        })),
        ...(output && { answerSchema: answerSchemaOf(output) }),
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
      const request = { input: messages, params: options.params };
      const timeoutMs = timeout === undefined ? undefined : milliseconds(timeout, `the timeout of the run of "${key}"`);
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
