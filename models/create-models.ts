import type { AnswerDelta } from '../db/transcript/message.ts';
import { createAnthropic } from './anthropic.ts';
import { recordExchanges } from './cassette/record-exchanges.ts';
import { contextWindowOf } from './context-window.ts';
import type { ProviderOptions, ProviderSettings } from './create-provider.ts';
import { ModelError, type ModelErrorCause } from './model-error.ts';
import { parseModelName, providerNamesOf, splitModelNames } from './model-name.ts';
import type { ModelAnswer, ModelProvider, ModelRequest } from './model-provider.ts';
import { createOpenAiChat } from './openai-chat.ts';
import { createOpenAiResponses } from './openai-responses.ts';

export interface ModelsOptions {
  /** By name; the first one is meant where a model's name has no provider. */
  providers: Record<string, ProviderSettings>;
  /** Which of OpenAI's two interfaces is used; by default what the model wants, where it is OpenAI's own endpoint. */
  openAiApi?: 'chat' | 'responses' | undefined;
  /** The folder that exchanges with the providers are recorded in, without their secrets; they are not where absent. */
  recordTo?: string | undefined;
  /** Providers of one's own; they come before those of the same name. */
  own?: ModelProvider[] | undefined;
}

/** Every model that is within reach. */
export interface Models {
  /** Tokens that a request to any of the models named may have, its answer included. */
  contextWindowOf(names: string): number;
  /**
   * Asks the first of the models named (`provider/model`, by commas) that is available; `onDelta` hears what arrives, and `onFallback`
   * of each model that was not. The answer says which one it is of.
   * @throws {ModelError} of the first model that another try may help, else of the first.
   */
  complete(
    names: string,
    request: Omit<ModelRequest, 'model'>,
    listeners?: { onDelta?(delta: AnswerDelta): void; onFallback?(name: string, error: ModelError): void },
  ): Promise<ModelAnswer & { model: string }>;
}

/** Causes that lie in the request, so that another model is not asked for them. */
const ownFault: ReadonlySet<ModelErrorCause> = new Set(['bad-request', 'context-too-long', 'content-refused']);

export function createModels(options: ModelsOptions): Models {
  const own = new Map((options.own ?? []).map((provider) => [provider.name, provider]));
  const names = providerNamesOf(options);
  const made = new Map<string, ModelProvider>();
  const secrets = Object.values(options.providers).flatMap(({ apiKey }) => apiKey ?? []);
  const fetch = options.recordTo ? recordExchanges({ folder: options.recordTo, secrets }) : undefined;

  function providerOf(name: string, model: string): ModelProvider {
    const given = own.get(name);
    if (given) return given;
    const kind = kindOf(name, model, options);
    const key = `${name} ${kind}`;
    const provider = made.get(key) ?? create(kind, { name, fetch, ...(options.providers[name] ?? { headers: false }) });
    made.set(key, provider);
    return provider;
  }

  return {
    contextWindowOf: (list) =>
      Math.min(
        ...splitModelNames(list).map((name) => {
          const { provider, model } = parseModelName(name, names);
          return contextWindowOf(`${provider}/${model}`);
        }),
      ),
    async complete(list, request, { onDelta, onFallback } = {}) {
      const errors: ModelError[] = [];
      for (const name of splitModelNames(list)) {
        const { provider, model } = parseModelName(name, names);
        try {
          const answer = await providerOf(provider, model).complete({ ...request, model }, onDelta);
          return { ...answer, model: `${provider}/${model}` };
        } catch (error) {
          if (!(error instanceof ModelError) || ownFault.has(error.why)) throw error;
          errors.push(error);
          onFallback?.(name, error);
        }
      }
      throw (
        errors.find((error) => error.retryable) ??
        errors[0] ??
        new ModelError('No model is named. Set LONGHAUL_MODEL to a `provider/model`.', { why: 'bad-request' })
      );
    },
  };
}

type Kind = 'chat' | 'responses' | 'anthropic';

function create(kind: Kind, options: ProviderOptions): ModelProvider {
  if (kind === 'anthropic') return createAnthropic(options);
  return kind === 'responses' ? createOpenAiResponses(options) : createOpenAiChat(options);
}

function kindOf(name: string, model: string, { providers, openAiApi }: ModelsOptions): Kind {
  if (name === 'anthropic') return 'anthropic';
  if (name !== 'openai') return 'chat';
  if (openAiApi) return openAiApi;
  // Servers that are merely compatible know chat completions; OpenAI's reasoning models keep their thoughts by the other way only.
  return !providers.openai?.baseUrl && /^(gpt-[5-9]|o\d|codex)/.test(model) ? 'responses' : 'chat';
}
