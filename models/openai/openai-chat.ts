import type OpenAI from 'openai';
import { isOpenAiItself } from '../../domain/addresses.ts';
import { ModelError } from '../../domain/model/model-error.ts';
import type {
  ModelAnswer,
  ModelMessage,
  ModelProvider,
  ModelRequest,
  ModelUsage,
  ToolChoice,
} from '../../domain/model/model-provider.ts';
import type { AnswerDelta } from '../../domain/run/message.ts';
import { dataUrl } from '../conversation/data-url.ts';
import { sendableCall, sendableId } from '../conversation/sendable-call.ts';
import { createProvider, type ProviderOptions } from '../create-provider.ts';
import { createOptionalParameters } from '../optional-parameter.ts';
import { ChatThoughts, type ThoughtDelta, thoughtsOf } from './chat-thoughts.ts';
import { isReasoningModel } from './is-reasoning-model.ts';
import { createOpenAiClient } from './openai-client.ts';
import { qualifiesAsStrict } from './qualifies-as-strict.ts';
import { sortOpenAiError } from './sort-openai-error.ts';
import { ToolCallPieces } from './tool-call-pieces.ts';

type Chunk = OpenAI.ChatCompletionChunk;

/** Characters of a call's id that OpenAI takes. */
const maxId = 40;

/** A part of Mistral's content, which reasoning models give as a list. */
type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: ContentPart[] }
  | { type: 'reference' };

/** With fields that servers other than OpenAI's add: `extra_content` is Google's. */
type Delta = Omit<OpenAI.ChatCompletionChunk.Choice.Delta, 'tool_calls' | 'content'> &
  ThoughtDelta & {
    content?: string | ContentPart[] | null;
    tool_calls?: Array<OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall & { extra_content?: unknown }> | null;
  };

type SaidDelta = Extract<AnswerDelta, { type: 'text' | 'reasoning' }>;

/** How requests to a server differ from those to others. */
interface Dialect {
  limitName: 'max_tokens' | 'max_completion_tokens';
  toId(id: string): string;
  /** Marks the reasoning that is sent back to the server; null to send none. */
  carrier: string | null;
}

/** OpenAI's chat completions, streamed: OpenAI itself and whatever is compatible with it. */
export function createOpenAiChat(options: ProviderOptions): ModelProvider {
  const client = createOpenAiClient(options);
  const { name } = options;
  const isItself = isOpenAiItself(options.baseUrl);

  const carrierOf = (model: string) => `${name}/${model}`;
  const dialectFor = (model: string, sendsThoughts: boolean): Dialect => ({
    // OpenAI's reasoning models reject the old name, also behind Azure and gateways; many compatible servers do not know the new one.
    limitName: isItself || (name === 'openai' && isReasoningModel(model)) ? 'max_completion_tokens' : 'max_tokens',
    // Other servers get back the ids that they gave: some read more in them (Kimi a count, LiteLLM a signature) than OpenAI takes.
    toId: (id) => (isItself ? sendableId(id, maxId) : id),
    carrier: sendsThoughts ? carrierOf(model) : null,
  });
  // Some servers reject these fields, which a gateway in front of them added to their answers.
  const withOptional = createOptionalParameters({
    thoughts: /reasoning_content|reasoning_details|thinking_blocks|extra_content|\breasoning\b/,
  });

  return createProvider(options, sortOpenAiError, async (request, { http, setRequestId, keepAlive, emit, count }) => {
    const { model } = request;
    const { data: stream, request_id: requestId } = await withOptional(model, ['thoughts'], (taken) => {
      const parameters = toParameters(request, dialectFor(model, taken.has('thoughts')));
      return client.chat.completions.create(parameters, http).withResponse();
    });
    setRequestId(requestId);
    const collected = new ChatAnswer();
    for await (const chunk of stream) {
      keepAlive();
      if (chunk.usage) count(toUsage(chunk.usage));
      for (const delta of collected.take(chunk)) emit(delta);
    }
    return { ...collected.answer(requestId, carrierOf(model)), requestId };
  });
}

function toParameters(request: ModelRequest, dialect: Dialect): OpenAI.ChatCompletionCreateParamsStreaming {
  return {
    model: request.model,
    messages: request.messages.map((message) => toChatMessage(message, dialect)),
    // Some servers refuse an empty list.
    ...(request.tools.length && {
      tools: request.tools.map((tool) => ({ type: 'function' as const, function: { ...tool } })),
      ...(request.toolChoice && { tool_choice: toToolChoice(request.toolChoice) }),
    }),
    ...(request.answerSchema && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { ...request.answerSchema, strict: qualifiesAsStrict(request.answerSchema.schema) },
      },
    }),
    ...(request.reasoningEffort && { reasoning_effort: request.reasoningEffort }),
    ...(request.maxOutputTokens !== undefined && { [dialect.limitName]: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toToolChoice(choice: ToolChoice): OpenAI.ChatCompletionToolChoiceOption {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } };
}

function toChatMessage({ role, content }: ModelMessage, { toId, carrier }: Dialect): OpenAI.ChatCompletionMessageParam {
  const { text, toolCalls = [], toolCallId } = content;
  if (role === 'tool') return { role, tool_call_id: toId(toolCallId ?? ''), content: text };
  if (role === 'user' && content.images?.length) {
    const images = content.images.map((image) => ({ type: 'image_url' as const, image_url: { url: dataUrl(image) } }));
    return { role, content: [...images, { type: 'text', text }] };
  }
  if (role !== 'assistant') return { role, content: text };
  const { extra_content: extras, ...thoughts } = thoughtsOf(content, carrier);
  // Mistral and others reject an assistant message with neither text nor tool calls.
  if (toolCalls.length === 0) return { role, content: text.trim() === '' ? '(no answer)' : text, ...thoughts };
  return {
    role,
    content: text,
    ...thoughts,
    tool_calls: toolCalls.map(sendableCall).map((call, place) => ({
      id: toId(call.id),
      type: 'function' as const,
      function: { name: call.name, arguments: call.arguments },
      ...(extras?.[place] ? { extra_content: extras[place] } : {}),
    })),
  };
}

/** An answer that is put together from its chunks. */
class ChatAnswer {
  #text = '';
  #isRefused = false;
  #calls = new ToolCallPieces();
  #thoughts = new ChatThoughts();
  #finish: string | undefined;
  #usage: OpenAI.CompletionUsage | undefined;

  *take(chunk: Chunk) {
    if (chunk.usage) this.#usage = chunk.usage;
    const [choice] = chunk.choices ?? [];
    if (!choice) return;
    if (choice.finish_reason) this.#finish = choice.finish_reason;
    const delta: Delta = choice.delta ?? {};
    this.#thoughts.take(delta);
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (reasoning) yield { type: 'reasoning' as const, text: reasoning };
    if (delta.refusal) this.#isRefused = true;
    for (const said of [...piecesOf(delta.content), ...piecesOf(delta.refusal)]) {
      if (said.type === 'text') this.#text += said.text;
      yield said;
    }
    for (const piece of delta.tool_calls ?? []) {
      const added = this.#calls.add(piece);
      this.#thoughts.takeOfCall(added.index, piece.extra_content);
      yield added;
    }
  }

  answer(requestId: string | null, carrier: string): Omit<ModelAnswer, 'firstTokenMs' | 'requestId'> {
    if (this.#finish === undefined) {
      throw new ModelError("The model's answer was cut off in the middle.", { code: 'ModelUnreachable', requestId });
    }
    const carried = this.#thoughts.carried(carrier);
    const refused = this.#finish === 'content_filter' || this.#isRefused;
    return {
      text: this.#text,
      toolCalls: this.#calls.calls,
      finish: refused ? 'refusal' : this.#finish === 'length' ? 'length' : 'done',
      usage: this.#usage ? toUsage(this.#usage) : null,
      ...(carried && { carried }),
    };
  }
}

/** What is said in a piece of content; parts of other types, such as references, are for other clients. */
function piecesOf(content: Delta['content'], type: 'text' | 'reasoning' = 'text'): SaidDelta[] {
  if (!content) return [];
  if (typeof content === 'string') return [{ type, text: content }];
  return content.flatMap((part) => {
    if (part.type === 'thinking') return piecesOf(part.thinking, 'reasoning');
    return part.type === 'text' ? piecesOf(part.text, type) : [];
  });
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
