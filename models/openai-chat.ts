import type OpenAI from 'openai';
import { createProvider, type ProviderOptions } from './create-provider.ts';
import { isOpenAiItself } from './is-openai-itself.ts';
import { ModelError } from './model-error.ts';
import type { ModelAnswer, ModelMessage, ModelProvider, ModelRequest, ModelUsage } from './model-provider.ts';
import { createOpenAiClient } from './openai-client.ts';
import { qualifiesAsStrict } from './qualifies-as-strict.ts';
import { sendableCall, sendableId } from './sendable-call.ts';
import { sortOpenAiError } from './sort-openai-error.ts';
import { ToolCallPieces } from './tool-call-pieces.ts';

type Chunk = OpenAI.ChatCompletionChunk;

/** Characters of a call's id that OpenAI takes. */
const longestId = 40;

/** What servers other than OpenAI's add: vLLM and DeepSeek the first, OpenRouter and Ollama the second. */
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { reasoning_content?: string | null; reasoning?: string | null };

/** OpenAI's chat completions, streamed: OpenAI itself and whatever is compatible with it. */
export function createOpenAiChat(options: ProviderOptions): ModelProvider {
  const client = createOpenAiClient(options);
  const isItself = isOpenAiItself(options.baseUrl);
  // OpenAI's reasoning models refuse the old name, many compatible servers do not know the new one.
  const limitName = isItself ? 'max_completion_tokens' : 'max_tokens';
  // Other servers get back the ids that they gave: some read more in them (Kimi a count, LiteLLM a signature) than OpenAI takes.
  const toId = (id: string) => (isItself ? sendableId(id, longestId) : id);
  return createProvider(options, sortOpenAiError, async (request, { http, setRequestId, keepAlive, emit, count }) => {
    const { data: stream, request_id: requestId } = await client.chat.completions
      .create(toParameters(request, limitName, toId), http)
      .withResponse();
    setRequestId(requestId);
    const collected = new ChatAnswer();
    for await (const chunk of stream) {
      keepAlive();
      if (chunk.usage) count(toUsage(chunk.usage));
      for (const delta of collected.take(chunk)) emit(delta);
    }
    return { ...collected.answer(requestId), requestId };
  });
}

function toParameters(
  request: ModelRequest,
  limitName: 'max_tokens' | 'max_completion_tokens',
  toId: (id: string) => string,
): OpenAI.ChatCompletionCreateParamsStreaming {
  return {
    model: request.model,
    messages: request.messages.map((message) => toChatMessage(message, toId)),
    // Some servers refuse an empty list.
    ...(request.tools.length && {
      tools: request.tools.map((tool) => ({ type: 'function' as const, function: { ...tool } })),
    }),
    ...(request.answerSchema && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { ...request.answerSchema, strict: qualifiesAsStrict(request.answerSchema.schema) },
      },
    }),
    ...(request.reasoningEffort && { reasoning_effort: request.reasoningEffort }),
    ...(request.maxOutputTokens !== undefined && { [limitName]: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toChatMessage(
  { role, content }: ModelMessage,
  toId: (id: string) => string,
): OpenAI.ChatCompletionMessageParam {
  const { text, toolCalls, toolCallId } = content;
  if (role === 'tool') return { role, tool_call_id: toId(toolCallId ?? ''), content: text };
  if (role !== 'assistant') return { role, content: text };
  return {
    role,
    content: text,
    ...(toolCalls?.length && {
      tool_calls: toolCalls.map(sendableCall).map((call) => ({
        id: toId(call.id),
        type: 'function' as const,
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
  };
}

/** An answer that is put together from its chunks. */
class ChatAnswer {
  #text = '';
  #refusal = '';
  #calls = new ToolCallPieces();
  #finish: string | undefined;
  #usage: OpenAI.CompletionUsage | undefined;

  *take(chunk: Chunk) {
    if (chunk.usage) this.#usage = chunk.usage;
    const [choice] = chunk.choices ?? [];
    if (!choice) return;
    if (choice.finish_reason) this.#finish = choice.finish_reason;
    const delta: Delta = choice.delta ?? {};
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (reasoning) yield { type: 'reasoning' as const, text: reasoning };
    if (delta.refusal) this.#refusal += delta.refusal;
    if (delta.content) {
      this.#text += delta.content;
      yield { type: 'text' as const, text: delta.content };
    }
    for (const piece of delta.tool_calls ?? []) yield this.#calls.add(piece);
  }

  answer(requestId: string | null): Omit<ModelAnswer, 'firstTokenMs' | 'requestId'> {
    if (this.#finish === undefined) {
      throw new ModelError("The model's answer broke off in the middle.", { why: 'connection', requestId });
    }
    const refused = this.#finish === 'content_filter' || this.#refusal !== '';
    return {
      text: this.#text || this.#refusal,
      toolCalls: this.#calls.calls,
      finish: refused ? 'refusal' : this.#finish === 'length' ? 'length' : 'done',
      usage: this.#usage ? toUsage(this.#usage) : null,
    };
  }
}

function toUsage(usage: OpenAI.CompletionUsage): ModelUsage {
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: 0,
    outputTokens: usage.completion_tokens ?? 0,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}
