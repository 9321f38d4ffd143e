import { z } from 'zod';
import type { ToolPlace } from '../../../domain/agent-run/declaration.ts';
import { AgentError } from '../agent-error.ts';
import { checkOptions, functionOption, objectSchemaOption } from '../check-options.ts';
import { type Duration, milliseconds, timeoutSchema } from '../duration.ts';

/** What a tool is told about the call that it runs for. */
export interface ToolCallContext {
  runId: string;
  /** The call's id, the same at each attempt. */
  callId: string;
  /** To hand on to a service that accepts one: the same at each attempt, and for no other call. */
  idempotencyKey: string;
  /** Aborts when the run is cancelled, times out or loses its process, and at the tool's own timeout. */
  signal: AbortSignal;
}

export interface ToolOptions<Parameters extends z.ZodType, Output> {
  /** Letters, digits, underscores and dashes, at most 64. */
  name: string;
  /** For the model: what it does and when to use it. */
  description: string;
  /** Must describe an object. */
  parameters: Parameters;
  /** Returns JSON, or a text. What it throws is told to the model, or thrown where a program called it. */
  run?(input: z.output<Parameters>, call: ToolCallContext): Output | Promise<Output>;
  /** `client`: the program that started the run provides it with `handle.provide`; the tool has no `run` then. */
  on?: 'client';
  /**
   * `run` runs in the sandbox of the run: its source is taken there, so it may use nothing from outside itself, neither variables nor imports, but what
   * it requires itself of Node. It has 120 s unless `timeout` says otherwise, and no retries.
   */
  sandbox?: boolean;
  /** Not run twice for one call, whatever dies: a call that was cut off fails with `CallCutOff`. */
  hasSideEffects?: boolean;
  /** A person has to say yes to each call, in `longhaul inbox`. */
  requiresConfirmation?: boolean;
  /** The longest that one attempt may take. */
  timeout?: Duration;
  /** How often a failed attempt is repeated; 0 if absent. Only for tools that run in the agent's process. */
  retries?: number;
}

/** How much of the conversation an agent learns that another one calls: the message alone, with a summary of the conversation, or with all of it. */
export type GivenContext = 'message' | 'summary' | 'full';

/** The agent that a tool's calls run. */
export interface CalledAgent {
  agent: { readonly key: string };
  context: GivenContext;
  /** Its result is that of the caller, whose run ends with it. */
  handsOff: boolean;
  /** Its result, as the caller gets it. */
  output: z.ZodType | undefined;
}

/** A tool of a user's own agents. */
export interface AgentTool<Parameters extends z.ZodType = z.ZodType, Output = unknown> {
  readonly name: string;
  readonly description: string;
  readonly parameters: Parameters;
  /** Absent if the client provides it. */
  run?(input: z.output<Parameters>, call: ToolCallContext): Output | Promise<Output>;
  readonly on: ToolPlace;
  /** Set if its calls run another agent. */
  readonly calls?: CalledAgent;
  readonly hasSideEffects: boolean;
  readonly requiresConfirmation: boolean;
  readonly timeoutMs: number | undefined;
  readonly retries: number;
}

export const toolNameSchema = z
  .string()
  .regex(/^[\w-]{1,64}$/, { error: 'expected at most 64 letters, digits, underscores and dashes' });

const optionsSchema = z.strictObject({
  name: toolNameSchema,
  description: z.string().regex(/\S/, { error: 'expected a text, from which the model learns when to use the tool' }),
  parameters: objectSchemaOption,
  run: functionOption.optional(),
  on: z.literal('client').optional(),
  sandbox: z.boolean().optional(),
  hasSideEffects: z.boolean().optional(),
  requiresConfirmation: z.boolean().optional(),
  timeout: timeoutSchema.optional(),
  retries: z.int().min(0).optional(),
});

/**
 * Defines a tool.
 * @throws {AgentError} `InvalidDefinition`
 */
export function defineTool<Parameters extends z.ZodType, Output>(
  options: ToolOptions<Parameters, Output>,
): AgentTool<Parameters, Output> {
  const { name, description, parameters, run, on, timeout } = options ?? {};
  const problem = `The tool "${name}" cannot be defined`;
  checkOptions(problem, optionsSchema, options);
  const complain = (expected: string) => new AgentError('InvalidDefinition', `${problem}:\n  ${expected}`);
  if ((on === 'client') === (run !== undefined)) {
    throw complain("expected either a function `run`, or `on: 'client'` without one.");
  }
  if (options.sandbox && !run) throw complain('expected a function `run`, which is what the sandbox runs.');
  if (options.retries && (options.sandbox || on)) {
    throw complain(
      '`retries` are only for tools that run in the process of the agent: leave them out, or repeat within the tool.',
    );
  }
  return {
    name,
    description,
    parameters,
    ...(run && { run }),
    on: options.sandbox ? 'sandbox' : (on ?? 'agent'),
    hasSideEffects: options.hasSideEffects ?? false,
    requiresConfirmation: options.requiresConfirmation ?? false,
    timeoutMs: timeout === undefined ? undefined : milliseconds(timeout),
    retries: options.retries ?? 0,
  };
}
