import type { z } from 'zod';
import type { AgentMessage, RunUsage } from '../../domain/agent-run/message.ts';
import type { CarriedItems, RequestedToolCall } from '../../domain/run/message.ts';
import type { Duration } from './duration.ts';
import type { LanguageModel } from './language-model/language-model.ts';
import type { StepItem, StepsOptions, StepsResult } from './steps/step.ts';
import type { AgentTool } from './tools/define-tool.ts';
import type { CalledRun } from './tools/outside-calls.ts';

export interface GenerateOptions<Output extends z.ZodType = z.ZodType> {
  /** `provider/model`, or a list, tried in order; the agent's own if absent. */
  model?: string;
  /** Tools that the model may ask for, by name or as definitions; the caller runs them. None if absent. */
  tools?: ReadonlyArray<string | AgentTool>;
  /** The form of the answer; must describe an object. */
  output?: Output;
  reasoningEffort?: 'low' | 'medium' | 'high';
  maxOutputTokens?: number;
  temperature?: number;
}

export interface Generated<Output = unknown> {
  text: string;
  toolCalls: RequestedToolCall[];
  /** The answer as its schema returns it, if `output` was given. */
  output: Output;
  finish: 'done' | 'length' | 'refusal';
  /** `provider/model` that answered. */
  model: string;
  usage: Pick<RunUsage, 'inputTokens' | 'outputTokens'> | null;
  /** For the assistant message of this answer in the next request: what the provider wants back, such as signed thinking. */
  carried?: CarriedItems;
}

/** An agent to run, by its key; its `output` types the result. */
export interface AgentToRun<Output = unknown> {
  readonly key: string;
  readonly output: z.ZodType<Output> | undefined;
}

export interface RunAgentOptions<Output = unknown> {
  /** What it finds as `context.params`: any JSON. */
  params?: unknown;
  /** This run's own if absent. */
  metadata?: Record<string, unknown>;
  /** From the start, waiting included. */
  timeout?: Duration;
  /** How often it is tried again after a failure, where another try may help; 0 if absent. */
  maxRetries?: number;
  /** What its result has to be. */
  output?: z.ZodType<Output>;
}

/**
 * What a coded agent has of its run. After a crash the agent's function starts again: model calls, tool calls and steps that had finished are not
 * made again, but return what they returned. A call is recognized by what it asks and how often the same was asked before. Once the agent has made a
 * checkpoint, only calls since the last one are remembered, since it is expected to go on from `state`.
 */
export interface AgentContext<Params = unknown, State = unknown> {
  readonly runId: string;
  /** The conversation that the run belongs to, if the caller named one. */
  readonly conversationId: string | undefined;
  readonly inputMessages: readonly AgentMessage[];
  /** What the caller gave with the start. */
  readonly params: Params;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The number of this try, from 1; a crash does not count. */
  readonly attempt: number;
  /** The agent's tools. */
  readonly tools: readonly AgentTool[];
  /** Aborts when the run is cancelled or times out, or when its process stops. */
  readonly signal: AbortSignal;
  isCancelled(): boolean;
  /** Adds an event of the agent's own to the run. Names of the form `run.*`, `step.*`, `tool.*`, `state.*`, `assistant.*` and `progress.*` are taken. */
  emit(type: string, payload?: unknown): Promise<void>;
  /** Shows how far the run is; `percent` from 0 to 100. */
  progress(percent: number, text?: string): Promise<void>;
  /** What the last checkpoint kept; undefined before the first. */
  readonly state: State | undefined;
  /** Keeps a state, any JSON, from which the agent goes on after a crash or a retry. */
  checkpoint(state: State): Promise<void>;
  /** Asks a model. Text arrives at watchers while it is written. */
  generate<Output extends z.ZodType = z.ZodType>(
    messages: string | readonly AgentMessage[],
    options?: GenerateOptions<Output>,
  ): Promise<Generated<z.output<Output>>>;
  /** The agent's model for the AI SDK: `generateText({ model: context.model, ... })`. `longhaul/ai-sdk` makes its tools durable too. */
  readonly model: LanguageModel;
  /**
   * Runs one of the agent's tools and records the call.
   * @throws {AgentError} `UnknownTool`, `InvalidValue`, `TimedOut`, `CallCutOff`; and what the tool throws.
   */
  callTool(name: string, input: unknown): Promise<unknown>;
  /**
   * Runs another agent, as a child of this run, which ends with it, and returns what it brought; after a crash, the run that was started is waited for.
   * @throws {AgentError} `UnknownAgent`, `CallFailed`, `InvalidValue`
   */
  run<Output = unknown>(
    agent: string | AgentToRun<Output>,
    input: string | readonly AgentMessage[],
    options?: RunAgentOptions<Output>,
  ): Promise<CalledRun<Output>>;
  /** Does work of any other kind once, and returns its result, any JSON, also after a crash. Work in flight at a crash is done again. */
  once<Result>(
    name: string,
    work: (call: { idempotencyKey: string; signal: AbortSignal }) => Promise<Result>,
  ): Promise<Result>;
  /** Runs steps in order; the same as `steps(context).run(...)`. */
  steps<const Items extends readonly StepItem<StepState>[], StepState extends object = Record<string, unknown>>(
    items: Items,
    options?: StepsOptions<StepState>,
  ): Promise<StepsResult<Items, StepState>>;
}
