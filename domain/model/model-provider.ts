import type { AnswerDelta, CarriedItems, MessageContent, MessageRole, RequestedToolCall } from '../run/message.ts';

export interface ModelMessage {
  role: MessageRole;
  content: MessageContent;
}

/** A tool as it is presented to the model; `parameters` is a JSON Schema. */
export interface ModelTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** The form that an answer's text must have: JSON that fits a JSON Schema, as far as the provider can enforce that. */
export interface AnswerSchema {
  /** Letters, digits, underscores and dashes, at most 64. */
  name: string;
  /** Must describe an object. If every property of every object is required and nothing else is allowed, OpenAI enforces it as strict. */
  schema: Record<string, unknown>;
}

/** Whether the model may, must not or must call a tool; `{ tool }` names the one that it must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string };

export const reasoningEfforts = ['low', 'medium', 'high'] as const;

/** How much a reasoning model should think before it answers. */
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** How a model is called; for absent settings the provider's own defaults apply. */
export interface ModelCallSettings {
  /** Models that do not reason reject it. */
  reasoningEffort?: ReasoningEffort | undefined;
  /** Maximum tokens of one answer, including reasoning; by default 32,000 for Anthropic, whose API requires a limit. */
  maxOutputTokens?: number | undefined;
  /** From 0 to 2; reasoning models reject it. */
  temperature?: number | undefined;
}

export interface ModelRequest extends ModelCallSettings {
  /** The provider's name for it, without the `provider/` prefix. */
  model: string;
  messages: ModelMessage[];
  tools: ModelTool[];
  /** `auto` if absent; means nothing without tools. */
  toolChoice?: ToolChoice | undefined;
  /** Without it any text is allowed. The caller must still check the answer: a refusal, or an answer cut off at its limit, does not fit. */
  answerSchema?: AnswerSchema;
  /** Which run, role and turn asks; sent as `X-Longhaul-*` headers if the configuration says so. */
  labels: Record<string, string>;
  /** Aborts the HTTP request. */
  signal: AbortSignal;
}

/** Tokens of one call, as the provider counted them. */
export interface ModelUsage {
  /** The whole request, including cached tokens. */
  inputTokens: number;
  /** Read from the provider's prompt cache. */
  cachedTokens: number;
  /** Written to it, if the provider counts that; otherwise 0. */
  cacheWriteTokens: number;
  /** All of the answer, including reasoning. */
  outputTokens: number;
  reasoningTokens: number;
}

/** The tokens of a call that a provider has reported so far; empty if none yet. */
export type CountedSoFar = Partial<ModelUsage>;

export interface ModelAnswer {
  text: string;
  toolCalls: RequestedToolCall[];
  /** `length`: cut off at the limit of tokens. `refusal`: the model, or a filter in front of it, refused to answer. */
  finish: 'done' | 'length' | 'refusal';
  /** Null if the provider counted nothing, which does not mean that nothing was used. */
  usage: ModelUsage | null;
  /** Milliseconds from the request to the first piece of text, reasoning or a tool call; null if nothing came. */
  firstTokenMs: number | null;
  /** The provider's id of the request; null if it gives none. */
  requestId: string | null;
  /** What the provider wants back unchanged with the next request, such as thinking blocks and their signatures. */
  carried?: CarriedItems;
}

/**
 * A provider of models, which a user implements to add another. It must keep no state of a conversation between calls, not retry, give up on a server that stays silent
 * for too long, and end its HTTP request within a second of the signal.
 */
export interface ModelProvider {
  /** As in `provider/model`. */
  readonly name: string;
  /**
   * Asks once. `onDelta` is given the answer while it arrives; `onCount` is called when the answer begins and with what was counted by then, which is
   * all that is known of a call that breaks off.
   * @throws {ModelError} classified by its cause; the signal's reason if it was aborted.
   */
  complete(
    request: ModelRequest,
    onDelta?: (delta: AnswerDelta) => void,
    onCount?: (counted: CountedSoFar) => void,
  ): Promise<ModelAnswer>;
}
