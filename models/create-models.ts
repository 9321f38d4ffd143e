import { isOpenAiItself, isVendorItself } from '../domain/addresses.ts';
import { ModelError, type ModelErrorCode } from '../domain/model/model-error.ts';
import { parseModelName, providerNamesOf, splitModelNames } from '../domain/model/model-name.ts';
import { nameModel } from '../domain/model/model-of-role.ts';
import type { CountedSoFar, ModelAnswer, ModelProvider, ModelRequest } from '../domain/model/model-provider.ts';
import type { AnswerDelta } from '../domain/run/message.ts';
import { recorderOf } from './cassette/record-exchanges.ts';
import type { ProviderOptions, ProviderSettings } from './create-provider.ts';
import { answerTooLong } from './guard-answers.ts';
import { isReasoningModel } from './openai/is-reasoning-model.ts';
import { takesImages } from './takes-images.ts';
import { checkUsage } from './usage/check-usage.ts';
import { contextWindowOf } from './usage/context-window.ts';
import { type FailedCall, usageOfFailure } from './usage/failed-call.ts';

export interface ModelsOptions {
  /** By name; a model's name without a provider means the first one. */
  providers: Record<string, ProviderSettings>;
  /** Which of OpenAI's APIs to use. The default is `responses` for reasoning models at OpenAI's own endpoint, else `chat`. */
  openAiApi?: 'chat' | 'responses' | undefined;
  /** The folder in which exchanges with the providers are recorded, without their secrets; nothing is recorded if absent. */
  recordTo?: string | undefined;
  /** Sends the requests unless they are recorded; by default `patientFetch`. */
  fetch?: typeof fetch | undefined;
  /** User-defined providers; they take precedence over others of the same name. */
  own?: ModelProvider[] | undefined;
  /** Minutes after which an answer that is still arriving is given up; an hour if absent. */
  answerMinutes?: number | undefined;
  /** Max tokens of a request, by model; `default` is for unknown models. */
  contextWindows?: Record<string, { value: number }> | undefined;
  /** Models that take no pictures, besides those that are known. */
  textOnlyModels?: readonly string[] | undefined;
}

/** The models of all providers. */
export interface Models {
  /** Max tokens of a request that fits each of the named models. */
  contextWindowOf(names: string): number;
  /** The first of the named models, `provider/model`, if it takes no pictures; the others are asked only when it is away. */
  textOnlyOf(names: string): string | undefined;
  /**
   * Calls the first available one of the named models (`provider/model`, comma-separated). The answer says which model gave it, and how many
   * milliseconds that model took; its counts are checked (`checkUsage`).
   * @throws {ModelError} the first one that is worth a retry, else the first one.
   */
  complete(names: string, request: Omit<ModelRequest, 'model'>, listeners?: CallListeners): Promise<CheckedAnswer>;
}

export interface CheckedAnswer extends ModelAnswer {
  model: string;
  durationMs: number;
  /** Set if counts of the provider were impossible, so that its usage is an estimate. */
  isEstimated?: true;
}

/** Notified of calls while they are made. */
export interface CallListeners {
  /** A piece of the answer arrived. */
  onDelta?(delta: AnswerDelta): void;
  /** A model was not available, and the next one is asked. */
  onFallback?(name: string, error: ModelError): void;
  /** A call of a model (`provider/model`) begins. */
  onAsk?(model: string): void;
  /** A call brought no answer, whatever the reason; awaited. */
  onFailed?(call: FailedCall): Promise<void>;
}

/** A model that writes 128,000 tokens, the most that any does, at 36 a second takes an hour. */
export const defaultAnswerMinutes = 60;

/** Causes that lie in the request, so that no other model is tried. */
const ownFault: ReadonlySet<ModelErrorCode> = new Set(['ModelRequestRefused', 'ModelContentRefused']);

export function createModels(options: ModelsOptions): Models {
  const own = new Map((options.own ?? []).map((provider) => [provider.name, provider]));
  const names = providerNamesOf(options);
  const { answerMinutes = defaultAnswerMinutes } = options;
  const { default: unknown, ...windows } = options.contextWindows ?? {};
  const set = Object.fromEntries(Object.entries(windows).map(([name, { value }]) => [fullName(name), value]));
  const textOnly = new Set((options.textOnlyModels ?? []).map(fullName));
  const made = new Map<string, Promise<ModelProvider>>();
  const fetch = recorderOf(options) ?? options.fetch;

  function fullName(name: string): string {
    const { provider, model } = parseModelName(name, names);
    return `${provider}/${model}`;
  }

  async function providerOf(name: string, model: string): Promise<ModelProvider> {
    const given = own.get(name);
    if (given) return given;
    if (model.includes('/') && isVendorItself(name, options.providers[name]?.baseUrl))
      throw unknownProvider(model, names);
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
    textOnlyOf: (list) =>
      splitModelNames(list)
        .slice(0, 1)
        .map(fullName)
        .find((name) => !takesImages(name, { set: textOnly })),
    async complete(list, request, listeners = {}) {
      const errors: ModelError[] = [];
      const tried = splitModelNames(list);
      for (const [index, name] of tried.entries()) {
        const { provider, model } = parseModelName(name, names);
        try {
          return await askOnce(
            await providerOf(provider, model),
            { ...request, model },
            { ...listeners, answerMinutes },
          );
        } catch (error) {
          if (!(error instanceof ModelError) || error.code === 'ModelContextTooLong') throw error;
          // A fallback may reject what the first model accepts, such as another model's thoughts; then the first one is retried.
          if (ownFault.has(error.code) && errors.length === 0) throw error;
          errors.push(error);
          if (index < tried.length - 1) listeners.onFallback?.(name, error);
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

async function askOnce(
  provider: ModelProvider,
  request: ModelRequest,
  { answerMinutes, onDelta, onAsk, onFailed }: CallListeners & { answerMinutes: number },
): Promise<CheckedAnswer> {
  request.signal.throwIfAborted();
  const model = `${provider.name}/${request.model}`;
  const since = performance.now();
  const elapsed = () => Math.round(performance.now() - since);
  let firstTokenMs: number | null = null;
  let counted: CountedSoFar | undefined;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), answerMinutes * 60_000);
  onAsk?.(model);
  try {
    const answer = await provider.complete(
      { ...request, signal: AbortSignal.any([request.signal, over.signal]) },
      (delta) => {
        firstTokenMs ??= elapsed();
        onDelta?.(delta);
      },
      (more) => {
        counted = { ...counted, ...more };
      },
    );
    const checked = answer.usage && checkUsage(answer.usage, request, answer);
    return {
      ...answer,
      ...(checked && { usage: checked.usage }),
      ...(checked?.isEstimated && { isEstimated: true }),
      ...{ model, durationMs: elapsed() },
    };
  } catch (thrown) {
    const isOver = over.signal.aborted && !request.signal.aborted;
    const error = isOver
      ? answerTooLong(`it took more than ${answerMinutes} minutes (LONGHAUL_ANSWER_MINUTES)`)
      : thrown;
    const begun = counted ?? (firstTokenMs === null ? undefined : {});
    const requestId = (error instanceof ModelError && error.requestId) || null;
    await onFailed?.({
      ...{ model, error, firstTokenMs, durationMs: elapsed(), requestId },
      ...usageOfFailure(model, error, begun),
    });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Sent on, it would be a model of the first provider, which has none with such a name. */
function unknownProvider(name: string, known: readonly string[]): ModelError {
  const message = `There is no provider "${name.slice(0, name.indexOf('/'))}". Expected one of ${known.join(', ')}, or another in longhaul.config.ts (docs/models.md).`;
  return new ModelError(message, { code: 'ModelNotFound' });
}

type Kind = 'chat' | 'responses' | 'anthropic';

/** Each needs its vendor's client, which is loaded on first use. */
async function create(kind: Kind, options: ProviderOptions): Promise<ModelProvider> {
  if (kind === 'anthropic') return (await import('./anthropic/anthropic.ts')).createAnthropic(options);
  if (kind === 'responses') return (await import('./openai/openai-responses.ts')).createOpenAiResponses(options);
  return (await import('./openai/openai-chat.ts')).createOpenAiChat(options);
}

function kindOf(name: string, model: string, { providers, openAiApi }: ModelsOptions): Kind {
  if (name === 'anthropic') return 'anthropic';
  if (name !== 'openai') return 'chat';
  if (openAiApi) return openAiApi;
  // Compatible servers support chat completions; OpenAI's reasoning models keep their thoughts only with the Responses API.
  return isOpenAiItself(providers.openai?.baseUrl) && isReasoningModel(model) ? 'responses' : 'chat';
}
