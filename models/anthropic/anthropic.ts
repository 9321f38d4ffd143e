import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import type { ModelError } from '../../domain/model/model-error.ts';
import type { ModelProvider, ModelRequest, ToolChoice } from '../../domain/model/model-provider.ts';
import { clientSettings, createProvider, type ProviderCall, type ProviderOptions } from '../create-provider.ts';
import { connectionError, httpError } from '../http-error.ts';
import { createOptionalParameters } from '../optional-parameter.ts';
import { AnthropicAnswer } from './anthropic-answer.ts';
import { toAnthropicMessages } from './anthropic-messages.ts';
import { betas, betasFor, messagesFor, takesEffort, thinkingOf } from './claude-thinking.ts';

/** The API requires a limit; an agent's turn of more than 32,000 tokens has gone astray. */
const defaultMaxTokens = 32_000;

/** Anthropic's client without the headers of `ANTHROPIC_CUSTOM_HEADERS`, which it would send to any server; they may hold the key of a gateway. */
class CompatibleClient extends Anthropic {
  declare protected _options: ClientOptions;

  constructor(options: ClientOptions) {
    super(options);
    this._options.defaultHeaders = options.defaultHeaders;
  }
}

/** Anthropic's Messages API, streamed, with its prompt cache and with thinking carried from turn to turn. */
export function createAnthropic(options: ProviderOptions): ModelProvider {
  const client = new (options.name === 'anthropic' ? Anthropic : CompatibleClient)(clientSettings(options));
  // Some gateways reject the field, others the header, each in its own words.
  const withOptional = createOptionalParameters({
    binding: /block_binding|thinking-binding|anthropic-beta|beta flag/i,
    // The API uses the last wording in a run that began without interleaving.
    interleaving: /interleaved-thinking|anthropic-beta|beta flag|start with a thinking block/i,
  });

  function send(request: ModelRequest, http: ProviderCall['http'], taken: ReadonlySet<keyof typeof betas>) {
    const [beta] = [...taken].map((name) => betas[name]);
    const headers = { ...http.headers, ...(beta && { 'anthropic-beta': beta }) };
    return client.messages.create(toParameters(request, taken.has('binding')), { ...http, headers }).withResponse();
  }

  return createProvider(options, sortError, async (request, { http, setRequestId, keepAlive, emit, count }) => {
    const { data: stream, request_id: given } = await withOptional(request.model, betasFor(request), (taken) =>
      send(request, http, taken),
    );
    const requestId = given ?? null;
    setRequestId(requestId);
    const collected = new AnthropicAnswer();
    for await (const event of stream) {
      keepAlive();
      const delta = collected.take(event);
      if (delta) emit(delta);
      if (event.type === 'message_start' || event.type === 'message_delta') count(collected.counted);
    }
    return { ...collected.answer(requestId), requestId };
  });
}

function toParameters(request: ModelRequest, isBindingTaken: boolean): Anthropic.MessageCreateParamsStreaming {
  const maxTokens = request.maxOutputTokens ?? defaultMaxTokens;
  const thinking = thinkingOf(request, { maxTokens, isBindingTaken });
  return {
    model: request.model,
    max_tokens: maxTokens,
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...toAnthropicMessages(messagesFor(request, thinking)),
    ...(request.tools.length && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters as Anthropic.Tool.InputSchema,
      })),
      ...(request.toolChoice && { tool_choice: toToolChoice(request.toolChoice) }),
    }),
    ...(thinking && { thinking }),
    ...outputConfig(request),
    stream: true,
  };
}

function toToolChoice(choice: ToolChoice): Anthropic.ToolChoice {
  if (typeof choice !== 'string') return { type: 'tool', name: choice.tool };
  return { type: choice === 'required' ? 'any' : choice };
}

function outputConfig({
  model,
  reasoningEffort,
  answerSchema,
}: ModelRequest): Pick<Anthropic.MessageCreateParams, 'output_config'> {
  const config: Anthropic.OutputConfig = {
    ...(reasoningEffort && takesEffort(model) && { effort: reasoningEffort }),
    // The API enforces a part of JSON Schema only; the package turns the rest into words.
    ...(answerSchema && { format: { type: 'json_schema', schema: transformJSONSchema(answerSchema.schema) } }),
  };
  return Object.keys(config).length ? { output_config: config } : {};
}

function sortError(name: string, error: unknown): ModelError | undefined {
  if (!(error instanceof Anthropic.APIError)) return undefined;
  if (error instanceof Anthropic.APIConnectionError) {
    return connectionError(name, error, error instanceof Anthropic.APIConnectionTimeoutError);
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
