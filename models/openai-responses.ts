import OpenAI from 'openai';
import type { AnswerDelta } from '../db/transcript/message.ts';
import { clientSettings, createProvider, type ProviderOptions } from './create-provider.ts';
import { httpError } from './http-error.ts';
import { ModelError } from './model-error.ts';
import type { ModelAnswer, ModelMessage, ModelProvider, ModelRequest } from './model-provider.ts';
import { qualifiesAsStrict } from './qualifies-as-strict.ts';
import { sortOpenAiError } from './sort-openai-error.ts';

type Item = OpenAI.Responses.ResponseInputItem;
type Response = OpenAI.Responses.Response;
type Event = OpenAI.Responses.ResponseStreamEvent;

/** What the items that are carried from turn to turn are marked with. */
const carrier = 'openai-responses';

/** OpenAI's Responses API, streamed and without anything stored there: reasoning is carried along encrypted. */
export function createOpenAiResponses(options: ProviderOptions): ModelProvider {
  const client = new OpenAI(clientSettings(options));
  return createProvider(options, sortOpenAiError, async (request, { http, touch, hand }) => {
    const { data: stream, request_id: requestId } = await client.responses
      .create(toParameters(request), http)
      .withResponse();
    const names: string[] = [];
    let whole: Response | undefined;
    for await (const event of stream) {
      touch();
      whole = endOf(event, requestId) ?? whole;
      const delta = toDelta(event, names);
      if (delta) hand(delta);
    }
    if (!whole) {
      throw new ModelError("The model's answer broke off in the middle.", { why: 'connection', requestId });
    }
    return { ...toAnswer(whole), requestId };
  });
}

function toParameters(request: ModelRequest): OpenAI.Responses.ResponseCreateParamsStreaming {
  return {
    model: request.model,
    input: request.messages.flatMap(toItems),
    ...(request.tools.length && {
      // Tools have optional arguments, so none of them would qualify as strict.
      tools: request.tools.map((tool) => ({ type: 'function' as const, strict: false, ...tool })),
    }),
    ...(request.answerSchema && {
      text: {
        format: {
          type: 'json_schema' as const,
          ...request.answerSchema,
          strict: qualifiesAsStrict(request.answerSchema.schema),
        },
      },
    }),
    ...(request.reasoningEffort && { reasoning: { effort: request.reasoningEffort, summary: 'auto' as const } }),
    ...(request.maxOutputTokens !== undefined && { max_output_tokens: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
  };
}

function toItems({ role, content }: ModelMessage): Item[] {
  const { text, toolCalls = [], toolCallId, carried } = content;
  if (role === 'tool') return [{ type: 'function_call_output', call_id: toolCallId ?? '', output: text }];
  if (role !== 'assistant') return [{ role, content: text }];
  return [
    // Thoughts stand before what came of them.
    ...(carried?.provider === carrier ? (carried.items as Item[]) : []),
    ...(text ? [{ role, content: text }] : []),
    ...toolCalls.map((call) => ({
      type: 'function_call' as const,
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
    })),
  ];
}

/** `names` are those of the calls that have begun, by their place in the output. */
function toDelta(event: Event, names: string[]): AnswerDelta | undefined {
  switch (event.type) {
    case 'response.output_text.delta':
      return { type: 'text', text: event.delta };
    case 'response.reasoning_summary_text.delta':
      return { type: 'reasoning', text: event.delta };
    case 'response.output_item.added':
      if (event.item.type !== 'function_call') return undefined;
      names[event.output_index] = event.item.name;
      return { type: 'tool-call', index: event.output_index, name: event.item.name, arguments: '' };
    case 'response.function_call_arguments.delta': {
      const name = names[event.output_index] ?? '';
      return { type: 'tool-call', index: event.output_index, name, arguments: event.delta };
    }
    default:
      return undefined;
  }
}

/** The whole response with the event that ends a stream; undefined for all others. */
function endOf(event: Event, requestId: string | null): Response | undefined {
  if (event.type === 'response.completed' || event.type === 'response.incomplete') return event.response;
  const error = event.type === 'response.failed' ? event.response.error : event.type === 'error' ? event : undefined;
  if (!error) return undefined;
  const codes = typeof error.code === 'string' ? [error.code] : [];
  const message = `The model failed while it answered: ${error.message}`;
  throw httpError({ message, status: undefined, headers: undefined, codes, requestId }, error);
}

function toAnswer(response: Response): Omit<ModelAnswer, 'firstTokenMs' | 'requestId'> {
  const said = response.output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const text = said.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
  const refusal = said.map((part) => (part.type === 'refusal' ? part.refusal : '')).join('');
  const reasoning = response.output.filter((item) => item.type === 'reasoning');
  const reason = response.incomplete_details?.reason;
  return {
    text: text || refusal,
    toolCalls: response.output.flatMap((item) =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name, arguments: item.arguments }] : [],
    ),
    finish: refusal || reason === 'content_filter' ? 'refusal' : reason === 'max_output_tokens' ? 'length' : 'done',
    usage: {
      inputTokens: response.usage?.input_tokens ?? 0,
      cachedTokens: response.usage?.input_tokens_details?.cached_tokens ?? 0,
      cacheWriteTokens: 0,
      outputTokens: response.usage?.output_tokens ?? 0,
      reasoningTokens: response.usage?.output_tokens_details?.reasoning_tokens ?? 0,
    },
    ...(reasoning.length && { carried: { provider: carrier, items: reasoning } }),
  };
}
