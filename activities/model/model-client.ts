import type { MessageContent, MessageRole, RequestedToolCall } from '../../db/transcript/message.ts';

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

export interface ModelRequest {
  model: string;
  messages: ModelMessage[];
  tools: ModelTool[];
  /** Which run, role and turn asks; sent as `X-Longhaul-*` headers where the configuration says so. */
  labels: Record<string, string>;
  signal: AbortSignal;
}

export interface ModelAnswer {
  text: string;
  toolCalls: RequestedToolCall[];
  usage: { inputTokens: number; cachedTokens: number; outputTokens: number };
  /** The provider's id of the request; null where it gives none. */
  requestId: string | null;
}

/** One provider of models. */
export interface ModelClient {
  /** @throws {ApplicationFailure} named by its cause, retryable where another try may succeed. */
  complete(request: ModelRequest): Promise<ModelAnswer>;
}
