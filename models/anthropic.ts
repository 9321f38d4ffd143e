import Anthropic from '@anthropic-ai/sdk';
import { AnthropicAnswer } from './anthropic-answer.ts';
import { toAnthropicMessages } from './anthropic-messages.ts';
import { defaultIdleMs, exchange } from './exchange.ts';
import { startFirstTokenClock } from './first-token-clock.ts';
import { httpError } from './http-error.ts';
import { labelHeaders } from './label-headers.ts';
import { ModelError } from './model-error.ts';
import type { ModelProvider, ModelRequest } from './model-provider.ts';

export interface AnthropicOptions {
  /** The provider's name, as in `provider/model`. */
  name: string;
  apiKey?: string | undefined;
  /** Anthropic's own endpoint where absent. */
  baseUrl?: string | undefined;
  /** Whether requests carry `X-Longhaul-*` headers. */
  headers: boolean;
  /** Milliseconds without a byte after which a call is given up. */
  idleMs?: number | undefined;
}

/** The API wants a limit; an agent's turn of more than 32,000 tokens is one that has gone astray. */
const maxTokens = 32_000;

/** Anthropic's Messages API, streamed, with its prompt cache and with thinking carried from turn to turn. */
export function createAnthropic(options: AnthropicOptions): ModelProvider {
  const { name, apiKey, baseUrl, idleMs = defaultIdleMs } = options;
  const client = new Anthropic({
    apiKey: apiKey ?? 'none', // a gateway may want none, the package wants one
    ...(baseUrl && { baseURL: baseUrl }),
    maxRetries: 0, // Temporal retries, and shows that it does
    timeout: 2_147_483_647, // the exchange has its own limit
  });
  return {
    name,
    complete: (request, onDelta) =>
      exchange({ signal: request.signal, idleMs, sort: (error) => sortError(name, error) }, async (signal, touch) => {
        const clock = startFirstTokenClock(onDelta);
        const { data: stream, request_id: requestId } = await client.messages
          .create(toParameters(request), {
            signal,
            ...(options.headers && { headers: labelHeaders(request.labels) }),
          })
          .withResponse();
        const collected = new AnthropicAnswer();
        for await (const event of stream) {
          touch();
          const delta = collected.take(event);
          if (delta) clock.hand(delta);
        }
        return {
          ...collected.answer(requestId ?? null),
          firstTokenMs: clock.firstTokenMs,
          requestId: requestId ?? null,
        };
      }),
  };
}

function toParameters(request: ModelRequest): Anthropic.MessageCreateParamsStreaming {
  return {
    model: request.model,
    max_tokens: maxTokens,
    ...toAnthropicMessages(request.messages),
    ...(request.tools.length && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters as Anthropic.Tool.InputSchema,
      })),
    }),
    ...(request.reasoningEffort && {
      thinking: { type: 'adaptive' as const },
      output_config: { effort: request.reasoningEffort },
    }),
    stream: true,
  };
}

function sortError(name: string, error: unknown): ModelError | undefined {
  if (!(error instanceof Anthropic.APIError)) return undefined;
  if (error instanceof Anthropic.APIConnectionTimeoutError) {
    return new ModelError(`${name} did not answer in time: ${error.message}`, { why: 'timeout', cause: error });
  }
  if (error instanceof Anthropic.APIConnectionError) {
    const why = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return new ModelError(`${name} could not be reached: ${error.message}${why}`, { why: 'connection', cause: error });
  }
  const { type, message } = (error.error as { error?: { type?: unknown; message?: unknown } } | undefined)?.error ?? {};
  return httpError(
    {
      message: `${name} answered: ${typeof message === 'string' ? `${error.status ?? type} ${message}` : error.message}`,
      status: error.status,
      headers: error.headers,
      codes: typeof type === 'string' ? [type] : [],
      requestId: error.requestID,
    },
    error,
  );
}
