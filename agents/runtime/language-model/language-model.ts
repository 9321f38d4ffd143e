type Json = null | string | number | boolean | Json[] | { [property: string]: Json | undefined };

/** What providers add to parts of an answer, by provider, and get back with them. */
export type Metadata = Record<string, Record<string, Json>>;

export interface PromptPart {
  type: string;
  text?: string;
  /** Of a file. */
  mediaType?: string;
  toolCallId?: string;
  toolName?: string;
  input?: unknown;
  output?: { type: string; value?: unknown; reason?: string };
  providerOptions?: Record<string, Record<string, unknown>>;
}

export type PromptMessage =
  | { role: 'system'; content: string }
  | { role: 'user' | 'assistant' | 'tool'; content: PromptPart[] };

export interface LanguageModelOptions {
  prompt: PromptMessage[];
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  reasoning?: string | undefined;
  responseFormat?: { type: 'text' } | { type: 'json'; schema?: object; name?: string } | undefined;
  tools?: Array<{ type: string; name: string; description?: string; inputSchema?: object }> | undefined;
  toolChoice?: { type: 'auto' | 'none' | 'required' } | { type: 'tool'; toolName: string } | undefined;
  abortSignal?: AbortSignal | undefined;
  /** Other settings, which it cannot carry. */
  [setting: string]: unknown;
}

export type AnswerContent = { providerMetadata?: Metadata } & (
  | { type: 'text'; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: string }
);

export interface AnswerEnd {
  finishReason: { unified: 'stop' | 'length' | 'content-filter' | 'tool-calls'; raw: undefined };
  usage: {
    inputTokens: { total: number | undefined; noCache: undefined; cacheRead: undefined; cacheWrite: undefined };
    outputTokens: { total: number | undefined; text: undefined; reasoning: undefined };
  };
}

export type StreamedPart =
  | { type: 'stream-start'; warnings: [] }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string; providerMetadata?: Metadata }
  | Extract<AnswerContent, { type: 'tool-call' }>
  | { type: 'response-metadata'; modelId: string }
  | ({ type: 'finish' } & AnswerEnd)
  | { type: 'error'; error: unknown };

/**
 * A language model of the AI SDK (`ai`, version 7): for `generateText`, `streamText` and `ToolLoopAgent`. Its type fits that package's without needing
 * it. An answer is recorded before anyone learns of it whole, and not paid for again after a crash.
 */
export interface LanguageModel {
  readonly specificationVersion: 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  /** @throws {AgentError} `InvalidValue` naming what it cannot carry; {ModelError} */
  doGenerate(
    options: LanguageModelOptions,
  ): Promise<{ content: AnswerContent[]; response: { modelId: string }; warnings: [] } & AnswerEnd>;
  /** The text arrives while it is written; tool calls once the answer is recorded. */
  doStream(options: LanguageModelOptions): Promise<{ stream: ReadableStream<StreamedPart> }>;
}
