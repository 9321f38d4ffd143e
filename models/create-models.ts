import { isOpenAiItself } from '../domain/addresses.ts';
import { ModelError, type ModelErrorCode } from '../domain/model/model-error.ts';
import { parseModelName, providerNamesOf, splitModelNames } from '../domain/model/model-name.ts';
import { nameModel } from '../domain/model/model-of-role.ts';
import type { CountedSoFar, ModelAnswer, ModelProvider, ModelRequest } from '../domain/model/model-provider.ts';
import type { AnswerDelta } from '../domain/run/message.ts';
import { recorderOf } from './cassette/record-exchanges.ts';
import type { ProviderOptions, ProviderSettings } from './create-provider.ts';
import { isReasoningModel } from './openai/is-reasoning-model.ts';
import { contextWindowOf } from './usage/context-window.ts';
import { type FailedCall, usageOfFailure } from './usage/failed-call.ts';

export interface ModelsOptions {
  /** By name; the first one is meant where a model's name has no provider. */
  providers: Record<string, ProviderSettings>;
  /** Which of OpenAI's two interfaces is used; by default what the model wants, where it is OpenAI's own endpoint. */
  openAiApi?: 'chat' | 'responses' | undefined;
  /** The folder that exchanges with the providers are recorded in, without their secrets; they are not where absent. */
  recordTo?: string | undefined;
  /** Sends the requests where they are not recorded; by default `patientFetch`. */
  fetch?: typeof fetch | undefined;
  /** Providers of one's own; they come before those of the same name. */
  own?: ModelProvider[] | undefined;
  /** Tokens that a request may have, by model; `default` is for models that are not known. */
  contextWindows?: Record<string, { value: number }> | undefined;
}

/** Every model that is within reach. */
export interface Models {
  /** Tokens that a request to any of the models named may have. */
  contextWindowOf(names: string): number;
  /**
   * Asks the first of the models named (`provider/model`, by commas) that is available. The answer says which one it is of, and how many
   * milliseconds that one took.
   * @throws {ModelError} of the first model that another try may help, else of the first.
   */
  complete(
    names: string,
    request: Omit<ModelRequest, 'model'>,
    listeners?: CallListeners,
  ): Promise<ModelAnswer & { model: string; durationMs: number }>;
}

/** What is told of calls while they are made. */
export interface CallListeners {
  /** What arrives of the answer. */
  onDelta?(delta: AnswerDelta): void;
  /** A model was not available. */
  onFallback?(name: string, error: ModelError): void;
  /** A model (`provider/model`) is asked. */
  onAsk?(model: string): void;
  /** A call brought no answer, whatever the reason; waited for. */
  onFailed?(call: FailedCall): Promise<void>;
}

/** Causes that lie in the request, so that another model is not asked for them. */
const ownFault: ReadonlySet<ModelErrorCode> = new Set(['ModelRequestRefused', 'ModelContentRefused']);

export function createModels(options: ModelsOptions): Models {
  const own = new Map((options.own ?? []).map((provider) => [provider.name, provider]));
  const names = providerNamesOf(options);
  const { default: unknown, ...windows } = options.contextWindows ?? {};
  const set = Object.fromEntries(Object.entries(windows).map(([name, { value }]) => [fullName(name), value]));
  const made = new Map<string, Promise<ModelProvider>>();
  const fetch = recorderOf(options) ?? options.fetch;

  function fullName(name: string): string {
    const { provider, model } = parseModelName(name, names);
    return `${provider}/${model}`;
  }

  async function providerOf(name: string, model: string): Promise<ModelProvider> {
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
        ...splitModelNames(list).map((name) => contextWindowOf(fullName(name), { set, unknown: unknown?.value })),
      ),
    async complete(list, request, listeners = {}) {
      const errors: ModelError[] = [];
      for (const name of splitModelNames(list)) {
        const { provider, model } = parseModelName(name, names);
        try {
          return await askOnce(await providerOf(provider, model), { ...request, model }, listeners);
        } catch (error) {
          if (!(error instanceof ModelError) || error.code === 'ModelContextTooLong') throw error;
          // A fallback may reject what the first model takes, such as another model's thoughts; then the first one is waited for.
          if (ownFault.has(error.code) && errors.length === 0) throw error;
          errors.push(error);
          listeners.onFallback?.(name, error);
        }
      }
      throw (
        errors.find((error) => error.retryable) ??
        errors[0] ??
        new ModelError(`No model is set. ${nameModel}`, { code: 'ModelNotFound' })
      );
    },
  };
}

async function askOnce(provider: ModelProvider, request: ModelRequest, { onDelta, onAsk, onFailed }: CallListeners) {
  request.signal.throwIfAborted();
  const model = `${provider.name}/${request.model}`;
  const since = performance.now();
  const elapsed = () => Math.round(performance.now() - since);
  let firstTokenMs: number | null = null;
  let counted: CountedSoFar | undefined;
  onAsk?.(model);
  try {
    const answer = await provider.complete(
      request,
      (delta) => {
        firstTokenMs ??= elapsed();
        onDelta?.(delta);
      },
      (more) => {
        counted = { ...counted, ...more };
      },
    );
    return { ...answer, model, durationMs: elapsed() };
  } catch (error) {
    const begun = counted ?? (firstTokenMs === null ? undefined : {});
    const requestId = (error instanceof ModelError && error.requestId) || null;
    await onFailed?.({
      ...{ model, error, firstTokenMs, durationMs: elapsed(), requestId },
      ...usageOfFailure(model, error, begun),
    });
    throw error;
  }
}

type Kind = 'chat' | 'responses' | 'anthropic';

/** Each brings its company's client, which is loaded where it is asked. */
async function create(kind: Kind, options: ProviderOptions): Promise<ModelProvider> {
  if (kind === 'anthropic') return (await import('./anthropic/anthropic.ts')).createAnthropic(options);
  if (kind === 'responses') return (await import('./openai/openai-responses.ts')).createOpenAiResponses(options);
  return (await import('./openai/openai-chat.ts')).createOpenAiChat(options);
}

function kindOf(name: string, model: string, { providers, openAiApi }: ModelsOptions): Kind {
  if (name === 'anthropic') return 'anthropic';
  if (name !== 'openai') return 'chat';
  if (openAiApi) return openAiApi;
  // Servers that are merely compatible know chat completions; OpenAI's reasoning models keep their thoughts by the other way only.
  return isOpenAiItself(providers.openai?.baseUrl) && isReasoningModel(model) ? 'responses' : 'chat';
}
