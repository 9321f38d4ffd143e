import {
  connectionError,
  createProvider,
  httpError,
  type ModelAnswer,
  type ModelError,
  type ModelMessage,
  type ModelProvider,
  type ModelRequest,
  type ProviderOptions,
  patientFetch,
  sendableCall,
  type ToolCallPiece,
  ToolCallPieces,
} from 'longhaul/models';
import { readEvents } from './read-events.ts';

/** One chunk of a streamed answer, with the fields read here. */
interface Chunk {
  choices?: Array<{
    delta?: {
      content?: string;
      refusal?: string;
      tool_calls?: ToolCallPiece[];
    };
    finish_reason?: string | null;
  }>;
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
}

/**
 * A provider for any server that streams chat completions, built on a `fetch` that waits as long as the model thinks. `createProvider` handles
 * timeouts and error names.
 */
export function createFetchProvider(options: ProviderOptions): ModelProvider {
  const { name, baseUrl, apiKey, fetch = patientFetch } = options;
  return createProvider(options, sortError, async (request, { http, setRequestId, keepAlive, emit, count }) => {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      signal: http.signal,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}`, ...http.headers },
      body: JSON.stringify(toBody(request)),
    });
    const requestId = response.headers.get('x-request-id');
    setRequestId(requestId);
    if (!response.ok || !response.body) throw await refusalOf(name, response, requestId);

    const calls = new ToolCallPieces();
    const answer: Omit<ModelAnswer, 'firstTokenMs'> = {
      text: '',
      toolCalls: calls.calls,
      finish: 'done',
      usage: null,
      requestId,
    };
    let ended = false;
    for await (const data of readEvents(response.body)) {
      keepAlive();
      if (data === '[DONE]') break;
      const { choices: [choice] = [], usage } = JSON.parse(data) as Chunk;
      if (usage) {
        const counted = { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens };
        answer.usage = { ...counted, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
        count(answer.usage);
      }
      const said = choice?.delta?.content ?? choice?.delta?.refusal;
      if (said) {
        answer.text += said;
        emit({ type: 'text', text: said });
      }
      for (const piece of choice?.delta?.tool_calls ?? []) emit(calls.add(piece));
      if (choice?.delta?.refusal || choice?.finish_reason === 'content_filter') answer.finish = 'refusal';
      else if (choice?.finish_reason === 'length') answer.finish = 'length';
      ended ||= Boolean(choice?.finish_reason);
    }
    if (!ended) throw new Error('The answer broke off in the middle.');
    return answer;
  });
}

/** fetch throws a TypeError if it cannot reach the server; any other error that is not a ModelError counts as an answer that broke off. */
function sortError(name: string, error: unknown): ModelError | undefined {
  return error instanceof TypeError ? connectionError(name, error, false) : undefined;
}

function toBody({ model, messages, tools, answerSchema, reasoningEffort, maxOutputTokens, temperature }: ModelRequest) {
  return {
    model,
    messages: messages.map(toMessage),
    tools: tools.length ? tools.map((tool) => ({ type: 'function', function: tool })) : undefined,
    response_format: answerSchema && { type: 'json_schema', json_schema: answerSchema },
    reasoning_effort: reasoningEffort,
    max_tokens: maxOutputTokens,
    temperature,
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toMessage({ role, content: { text, toolCalls, toolCallId } }: ModelMessage) {
  const calls = toolCalls?.map(sendableCall).map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  const said = role === 'assistant' && !calls?.length && text.trim() === '' ? '(no answer)' : text; // some refuse nothing
  return { role, content: said, tool_call_id: toolCallId, tool_calls: calls?.length ? calls : undefined };
}

async function refusalOf(name: string, response: Response, requestId: string | null): Promise<ModelError> {
  const body = await response.text();
  const { status, headers } = response;
  return httpError({ message: `${name} answered: ${status} ${body}`, status, headers, codes: [], requestId }, body);
}
