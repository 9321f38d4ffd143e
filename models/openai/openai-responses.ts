import type OpenAI from 'openai';
import { ModelError } from '../../domain/model/model-error.ts';
import type {
  ModelAnswer,
  ModelMessage,
  ModelProvider,
  ModelRequest,
  ModelUsage,
  ToolChoice,
} from '../../domain/model/model-provider.ts';
import type { AnswerDelta, RequestedToolCall } from '../../domain/run/message.ts';
import { type AnswerPart, carry, partsOf } from '../conversation/carried-order.ts';
import { dataUrl } from '../conversation/data-url.ts';
import { sendableCall, sendableId } from '../conversation/sendable-call.ts';
import { createProvider, type ProviderOptions } from '../create-provider.ts';
import { httpError } from '../http-error.ts';
import { createOptionalParameters } from '../optional-parameter.ts';
import { isReasoningModel } from './is-reasoning-model.ts';
import { createOpenAiClient } from './openai-client.ts';
import { qualifiesAsStrict } from './qualifies-as-strict.ts';
import { sortOpenAiError } from './sort-openai-error.ts';

type Item = OpenAI.Responses.ResponseInputItem;
type Response = OpenAI.Responses.Response;
type Event = OpenAI.Responses.ResponseStreamEvent;
type Optional = 'summary' | 'encrypted';
/** Carried before the text of a message that has a phase. */
type Phase = { phase: 'commentary' | 'final_answer' };

/** Marks the items that are carried from turn to turn. */
const carrier = 'openai-responses';

/** Characters of a call's id that the API takes. */
const maxId = 64;

/** OpenAI's Responses API, streamed and without anything stored there: reasoning is carried along encrypted. */
export function createOpenAiResponses(options: ProviderOptions): ModelProvider {
  const client = createOpenAiClient(options);
  const withOptional = createOptionalParameters<Optional>({
    // OpenAI gives reasoning summaries to verified organizations only.
    summary: /reasoning\.summary/,
    // Models that do not reason refuse to encrypt it.
    encrypted: /encrypted content is not supported|"param":"include/i,
  });
  // A run may have begun with reasoning that was encrypted for another organization or deployment.
  const withThoughts = createOptionalParameters({ thoughts: /invalid_encrypted_content/ });
  return createProvider(options, sortOpenAiError, async (request, { http, setRequestId, keepAlive, emit, count }) => {
    const { model, labels, messages } = request;
    const { data: stream, request_id: requestId } = await withThoughts(`${labels.Run}`, ['thoughts'], (kept) => {
      const input = (kept.has('thoughts') ? messages : messages.map(withoutThoughts)).flatMap(toItems);
      return withOptional(model, ['summary', 'encrypted'], (taken) =>
        client.responses.create(toParameters(request, input, taken), http).withResponse(),
      );
    });
    setRequestId(requestId);
    const names: string[] = [];
    let whole: Response | undefined;
    for await (const event of stream) {
      keepAlive();
      if ('response' in event && event.response.usage) count(toUsage(event.response.usage));
      whole = endOf(event, requestId) ?? whole;
      const delta = toDelta(event, names);
      if (delta) emit(delta);
    }
    if (!whole) {
      throw new ModelError("The model's answer was cut off in the middle.", { code: 'ModelUnreachable', requestId });
    }
    return { ...toAnswer(whole), requestId };
  });
}

function toParameters(
  request: ModelRequest,
  input: Item[],
  taken: ReadonlySet<Optional>,
): OpenAI.Responses.ResponseCreateParamsStreaming {
  const { model, reasoningEffort } = request;
  const reasoning = {
    ...(reasoningEffort && { effort: reasoningEffort }),
    ...(taken.has('summary') && (reasoningEffort || isReasoningModel(model)) && { summary: 'auto' as const }),
  };
  return {
    model,
    input,
    ...(request.tools.length && {
      // Tools have optional arguments, so none of them would qualify as strict.
      tools: request.tools.map((tool) => ({ type: 'function' as const, strict: false, ...tool })),
      ...(request.toolChoice && { tool_choice: toToolChoice(request.toolChoice) }),
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
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(request.maxOutputTokens !== undefined && { max_output_tokens: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    store: false,
    ...(taken.has('encrypted') && { include: ['reasoning.encrypted_content' as const] }),
    stream: true,
  };
}

function toToolChoice(choice: ToolChoice): OpenAI.Responses.ResponseCreateParams['tool_choice'] & {} {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.tool };
}

function toItems({ role, content }: ModelMessage): Item[] {
  if (role === 'tool') {
    return [
      {
        type: 'function_call_output',
        call_id: sendableId(content.toolCallId ?? '', maxId),
        output: content.text,
      },
    ];
  }
  if (role === 'user' && content.images?.length) {
    const images = content.images.map((image) => ({
      ...{ type: 'input_image' as const, detail: 'auto' as const },
      image_url: dataUrl(image),
    }));
    return [{ role, content: [...images, { type: 'input_text', text: content.text }] }];
  }
  if (role !== 'assistant') return [{ role, content: content.text }];
  const items = partsOf(content, carrier).flatMap((part, index, parts): Item[] => {
    if ('item' in part) return phaseOf(part) ? [] : [part.item as Item];
    if ('text' in part) return [{ role, content: part.text, ...phaseOf(parts[index - 1]) }];
    const { id, ...call } = sendableCall(part.call);
    return [{ type: 'function_call', call_id: sendableId(id, maxId), ...call }];
  });
  // The API refuses reasoning that nothing follows, such as reasoning cut off at the limit.
  if (items.at(-1)?.type === 'reasoning') items.push({ role, content: '(no answer)' });
  return items;
}

/** An answer as it is sent to a server that cannot decrypt its reasoning. */
function withoutThoughts({ role, content }: ModelMessage): ModelMessage {
  const { carried } = content;
  if (carried?.provider !== carrier) return { role, content };
  const items = carried.items.filter((item) => (item as Item).type !== 'reasoning');
  return { role, content: { ...content, carried: { ...carried, items } } };
}

/** `names` are those of the calls that have begun, by their place in the output. */
function toDelta(event: Event, names: string[]): AnswerDelta | undefined {
  switch (event.type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { type: 'text', text: event.delta };
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta': // of open models, which make no summary
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
  const message = `The model failed during its answer: ${error.message}`;
  throw httpError({ message, status: undefined, headers: undefined, codes, requestId }, error);
}

function toAnswer(response: Response): Omit<ModelAnswer, 'firstTokenMs' | 'requestId'> {
  const said = response.output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const text = said.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
  const refusal = said.map((part) => (part.type === 'refusal' ? part.refusal : '')).join('');
  const carried = carry(carrier, response.output.flatMap(toParts));
  const reason = response.incomplete_details?.reason;
  return {
    text: text + refusal,
    toolCalls: response.output.flatMap((item) => (item.type === 'function_call' ? [toCall(item)] : [])),
    finish: refusal || reason === 'content_filter' ? 'refusal' : reason === 'max_output_tokens' ? 'length' : 'done',
    usage: response.usage ? toUsage(response.usage) : null,
    ...(carried && { carried }),
  };
}

function toUsage(usage: OpenAI.Responses.ResponseUsage): ModelUsage {
  return {
    inputTokens: usage.input_tokens ?? 0,
    cachedTokens: usage.input_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: 0,
    outputTokens: usage.output_tokens ?? 0,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens ?? 0,
  };
}

function toParts(item: OpenAI.Responses.ResponseOutputItem): AnswerPart[] {
  switch (item.type) {
    case 'reasoning':
      return [{ item }];
    case 'message': {
      const text = item.content.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
      return text ? [...(item.phase ? [{ item: { phase: item.phase } satisfies Phase }] : []), { text }] : [];
    }
    case 'function_call':
      return [{ call: toCall(item) }];
    default:
      return [];
  }
}

function phaseOf(part: AnswerPart | undefined): Phase | undefined {
  if (!part || !('item' in part) || Object.hasOwn(part.item as object, 'type')) return undefined;
  return part.item as Phase;
}

function toCall({ call_id: id, name, arguments: text }: OpenAI.Responses.ResponseFunctionToolCall): RequestedToolCall {
  return { id, name, arguments: text };
}
