import type {
  AnswerDelta,
  CarriedItems,
  MessageContent,
  MessageRole,
  RequestedToolCall,
} from '../db/transcript/message.ts';

export interface ModelMessage {
  role: MessageRole;
  content: MessageContent;
}

/** A tool as the model is told of it; `parameters` is a JSON Schema. */
export interface ModelTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** What the text of an answer has to be: JSON that fits a JSON Schema, as far as the provider can enforce that. */
export interface AnswerSchema {
  /** Letters, digits, underscores and dashes, at most 64. */
  name: string;
  /** Of an object. Where each property of each object is required and nothing else is allowed, OpenAI enforces it as strict. */
  schema: Record<string, unknown>;
}

export const reasoningEfforts = ['low', 'medium', 'high'] as const;

/** How much a model that reasons should think before it answers. */
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** How a model is asked; what is absent is the provider's own default. */
export interface ModelCallSettings {
  /** Models that do not reason refuse it. */
  reasoningEffort?: ReasoningEffort | undefined;
  /** Tokens of one answer, its reasoning included; 32,000 of Anthropic's, whose API wants a limit. */
  maxOutputTokens?: number | undefined;
  /** From 0 to 2; models that reason refuse it. */
  temperature?: number | undefined;
}

export interface ModelRequest extends ModelCallSettings {
  /** As the provider calls it, without the provider's own name. */
  model: string;
  messages: ModelMessage[];
  tools: ModelTool[];
  /** Any text where absent. Whoever asks still checks what comes: a refusal, or an answer cut off at its limit, fits nothing. */
  answerSchema?: AnswerSchema;
  /** Which run, role and turn asks; sent as `X-Longhaul-*` headers where the configuration says so. */
  labels: Record<string, string>;
  /** Aborts the HTTP request. */
  signal: AbortSignal;
}

/** Tokens of one call, as the provider counted them. */
export interface ModelUsage {
  /** All of the request, what came from a cache included. */
  inputTokens: number;
  /** Read from the provider's prompt cache. */
  cachedTokens: number;
  /** Written to it, where the provider counts that; 0 elsewhere. */
  cacheWriteTokens: number;
  /** All of the answer, reasoning included. */
  outputTokens: number;
  reasoningTokens: number;
}

/** What a provider told so far of the tokens of a call; nothing yet where it is empty. */
export type CountedSoFar = Partial<ModelUsage>;

export interface ModelAnswer {
  text: string;
  toolCalls: RequestedToolCall[];
  /** `length`: it broke off at the provider's limit. `refusal`: the model, or a filter before it, would not answer. */
  finish: 'done' | 'length' | 'refusal';
  /** Null where the provider counted nothing, which is not the same as nothing used. */
  usage: ModelUsage | null;
  /** Milliseconds from the request to the first piece of text, reasoning or a tool call; null where nothing came. */
  firstTokenMs: number | null;
  /** The provider's id of the request; null where it gives none. */
  requestId: string | null;
  /** What the provider wants back unchanged with the next request, such as thinking blocks and their signatures. */
  carried?: CarriedItems;
}

/**
 * One provider of models; what a user implements to add another. It keeps no state between calls, does not retry, gives up a server
 * that says nothing for long, and is done with its HTTP request within a second of the signal.
 */
export interface ModelProvider {
  /** As in `provider/model`. */
  readonly name: string;
  /**
   * Asks once; `onDelta` hears the answer while it arrives, and `onCount` that it began and what was counted of it by then, which is what
   * is known of a call that breaks off.
   * @throws {ModelError} named by its cause; the signal's reason where it was aborted.
   */
  complete(
    request: ModelRequest,
    onDelta?: (delta: AnswerDelta) => void,
    onCount?: (counted: CountedSoFar) => void,
  ): Promise<ModelAnswer>;
}
