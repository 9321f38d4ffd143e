import type { CarriedItems, RequestedToolCall } from '../run/message.ts';

/** A message of a conversation, as agents of users see it. */
export interface AgentMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** Assistant only. */
  toolCalls?: RequestedToolCall[];
  /** Assistant only: what its provider wants back unchanged with the next request, such as signed thinking. */
  carried?: CarriedItems;
  /** Tool result: the call that it answers. */
  toolCallId?: string;
}

/** Tokens and money of a run's model calls, as far as they are known. */
export interface RunUsage {
  inputTokens: number;
  outputTokens: number;
  /** US dollars of the calls whose model has a price. */
  costUsd: number;
  modelCalls: number;
}

/** Usage that an agent reports of model calls that it made by other means than its context. */
export type OwnUsage = Partial<Pick<RunUsage, 'inputTokens' | 'outputTokens' | 'costUsd'>>;

/** What a run made besides its answer, by name: any JSON. */
export type Artifacts = Record<string, unknown>;
