import { z } from 'zod';
import { type Duration, durationSchema, milliseconds, timeoutSchema } from '../../agents/runtime/duration.ts';
import { agentRunLimitsSchema } from '../../domain/agent-run/limits-schema.ts';
import type { AgentMessage } from '../../domain/agent-run/message.ts';
import { messageSchema } from '../../domain/agent-run/message-schema.ts';
import type { AgentRunLimits } from '../../domain/agent-run/run-request.ts';
import { describeMisfit } from '../../domain/describe-issue.ts';
import { toJson } from '../../domain/stores/json.ts';
import { StoreError } from '../../domain/stores/store-error.ts';
import { ClientError } from '../errors.ts';

/** What a run is given: a person's words, or a conversation. */
export type RunInput = string | readonly AgentMessage[];

export interface RunOptions {
  /** At most 100 letters, digits, dots, dashes and underscores; made from the agent's key if absent. */
  runId?: string;
  /** What the agent finds as `context.params`: any JSON. */
  params?: unknown;
  metadata?: Record<string, unknown>;
  /** The conversation that it belongs to. */
  conversationId?: string;
  /** From the start, waiting included; none if absent. */
  timeout?: Duration;
  /** How often a failed run is tried again, where another try may help; 0 if absent. */
  maxRetries?: number;
  /** Before the first retry; each further pause is twice as long, up to 300 s. A second if absent. */
  backoff?: Duration;
  /** From 1, the most urgent, to 5, which matters while more runs wait than processes take; 3 if absent. */
  priority?: number;
  /** A second start of the same agent with the same key and input finds the first run; with another input it is refused. */
  idempotencyKey?: string;
  /** Replaces limits of the agent; `toolCalls` applies to declared ones alone. */
  limits?: Partial<AgentRunLimits>;
  /** The run that starts this one. */
  parentRunId?: string;
}

/** Any JSON; a complaint names the first part that is none. */
const jsonOption = z.any().superRefine((value, context) => {
  try {
    toJson(value);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
  }
});

const optionsSchema = z.strictObject({
  runId: z
    .string()
    .regex(/^[\w.-]{1,100}$/, { error: 'expected at most 100 letters, digits, dots, dashes and underscores' })
    .optional(),
  params: jsonOption.optional(),
  metadata: z.record(z.string(), jsonOption).optional(),
  conversationId: z.string().min(1).optional(),
  timeout: timeoutSchema.optional(),
  maxRetries: z.int().min(0).max(1000).optional(),
  backoff: durationSchema.optional(),
  priority: z.int().min(1).max(5).optional(),
  idempotencyKey: z.string().min(1).max(500).optional(),
  limits: agentRunLimitsSchema.optional(),
  parentRunId: z.string().optional(),
});

export interface CheckedRun {
  input: AgentMessage[];
  options: RunOptions;
  timeoutMs: number | undefined;
  backoffMs: number;
}

/**
 * The input and the options of a start.
 * @throws {ClientError} `InvalidInput` with a line for each wrong field.
 */
export function checkRun(input: RunInput, options: RunOptions): CheckedRun {
  if (typeof input !== 'string' && !Array.isArray(input)) {
    throw new ClientError('InvalidInput', `Expected a text or a list of messages as input, got ${typeof input}.`);
  }
  const messages = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : [...input];
  const misfits = [
    describeMisfit(z.array(messageSchema).min(1), messages),
    describeMisfit(optionsSchema, options),
  ].flatMap((misfit) => misfit ?? []);
  if (misfits.length) throw new ClientError('InvalidInput', `The run cannot start:\n${misfits.join('\n')}`);
  const { timeout, backoff = 1000 } = options;
  return {
    input: messages,
    options,
    timeoutMs: timeout === undefined ? undefined : milliseconds(timeout),
    backoffMs: milliseconds(backoff),
  };
}
