import OpenAI from 'openai';
import type { ModelAnswer, ModelClient, ModelMessage, ModelRequest } from './model-client.ts';
import { modelFailure } from './model-failure.ts';

export interface OpenAiModelClientOptions {
  apiKey?: string;
  baseUrl?: string;
  /** Whether requests carry `X-Longhaul-*` headers. */
  headers: boolean;
}

/** Talks to any endpoint that speaks OpenAI's chat completions. */
export function createOpenAiModelClient(options: OpenAiModelClientOptions): ModelClient {
  const client = new OpenAI({
    apiKey: options.apiKey ?? 'none', // local servers want no key, the package wants one
    ...(options.baseUrl && { baseURL: options.baseUrl }),
    maxRetries: 0, // Temporal retries, and shows that it does
    timeout: 20 * 60 * 1000,
  });
  return {
    async complete(request) {
      try {
        const response = await client.chat.completions
          .create(
            {
              model: request.model,
              messages: request.messages.map(toChatMessage),
              tools: request.tools.map((tool) => ({ type: 'function', function: tool })),
            },
            { signal: request.signal, ...(options.headers && { headers: toHeaders(request.labels) }) },
          )
          .withResponse();
        return toAnswer(response.data, response.request_id);
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        throw modelFailure(error);
      }
    },
  };
}

function toHeaders(labels: ModelRequest['labels']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [`X-Longhaul-${name}`, encodeURIComponent(value)]),
  );
}

function toChatMessage(message: ModelMessage): OpenAI.ChatCompletionMessageParam {
  const { text, toolCalls, toolCallId } = message.content;
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: toolCallId ?? '', content: text };
    case 'assistant':
      return {
        role: 'assistant',
        content: text,
        ...(toolCalls?.length && {
          tool_calls: toolCalls.map((call) => ({
            id: call.id,
            type: 'function' as const,
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
      };
    default:
      return { role: message.role, content: text };
  }
}

function toAnswer(completion: OpenAI.ChatCompletion, requestId: string | null): ModelAnswer {
  const message = completion.choices?.[0]?.message;
  const calls = message?.tool_calls ?? [];
  return {
    text: message?.content ?? message?.refusal ?? '',
    toolCalls: calls.flatMap((call) =>
      call.type === 'function' ? [{ id: call.id, name: call.function.name, arguments: call.function.arguments }] : [],
    ),
    usage: {
      inputTokens: completion.usage?.prompt_tokens ?? 0,
      cachedTokens: completion.usage?.prompt_tokens_details?.cached_tokens ?? 0,
      outputTokens: completion.usage?.completion_tokens ?? 0,
    },
    requestId,
  };
}
