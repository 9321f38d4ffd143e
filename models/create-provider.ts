import { ModelError } from '../domain/model/model-error.ts';
import type { CountedSoFar, ModelAnswer, ModelProvider, ModelRequest } from '../domain/model/model-provider.ts';
import type { AnswerDelta } from '../domain/run/message.ts';
import { AnswerSize, checkAnswer } from './check-answer.ts';
import { guardAnswers, unreadableAnswer } from './guard-answers.ts';
import { createOptionalParameters } from './optional-parameter.ts';
import { patientFetch } from './patient-fetch.ts';

/** How a provider is reached. */
export interface ProviderSettings {
  apiKey?: string | undefined;
  /** By default the provider's own endpoint. */
  baseUrl?: string | undefined;
  /** Whether requests carry `X-Longhaul-*` headers. */
  headers: boolean;
}

export interface ProviderOptions extends ProviderSettings {
  /** The provider's name, as in `provider/model`. */
  name: string;
  /** Milliseconds without a byte after which a call is aborted. */
  idleMs?: number | undefined;
  /** Sends the requests, for example one that records them; by default `patientFetch`. */
  fetch?: typeof fetch | undefined;
}

/** A call of a provider that is in progress. */
export interface ProviderCall {
  /** To pass to the provider's client. */
  http: { signal: AbortSignal; headers?: Record<string, string> };
  /** Must be called with the provider's id of the request, or null, as soon as the response headers arrive. */
  setRequestId(requestId: string | null): void;
  /** Must be called whenever something arrives; if nothing does for too long, the call is aborted. */
  keepAlive(): void;
  emit(delta: AnswerDelta): void;
  /** Must be called with the tokens that the provider has counted so far; a later count replaces an earlier one. */
  count(counted: CountedSoFar): void;
}

/** A model may think for ten minutes without a token; after a longer silence nothing more is expected. */
export const defaultIdleMs = 15 * 60_000;

/** Settings for the clients of OpenAI and Anthropic. */
export function clientSettings({ apiKey, baseUrl, fetch = patientFetch }: ProviderOptions) {
  return {
    apiKey: apiKey ?? 'none', // local servers and gateways may need no key, but the packages require one
    ...(baseUrl && { baseURL: baseUrl }),
    fetch: guardAnswers(fetch),
    maxRetries: 0, // Temporal retries, and shows that it does
    timeout: 2_147_483_647, // the call has its own limit
  };
}

/**
 * Creates a provider that makes each call by `ask`. An error from `ask` is thrown as a `ModelError`, classified by `sort` if it is one of the
 * provider's client.
 */
export function createProvider(
  { name, baseUrl, headers, idleMs = defaultIdleMs }: ProviderOptions,
  sort: (name: string, error: unknown) => ModelError | undefined,
  ask: (request: ModelRequest, call: ProviderCall) => Promise<Omit<ModelAnswer, 'firstTokenMs'>>,
): ModelProvider {
  const withSchema = createOptionalParameters({
    schema: /response_format|text\.format|output_config|output_format|json_schema|structured output/i,
  });
  const told = baseUrl && URL.canParse(baseUrl) ? `${name} at ${new URL(baseUrl).host}` : name;
  return {
    name,
    async complete(request, onDelta, onCount) {
      const idle = new AbortController();
      const timer = setTimeout(() => idle.abort(), idleMs);
      const since = performance.now();
      let firstTokenMs: number | null = null;
      let begun = false;
      const size = new AnswerSize();
      let requestId: string | null = null;
      const call: ProviderCall = {
        http: {
          signal: AbortSignal.any([request.signal, idle.signal]),
          ...(headers && { headers: labelHeaders(request.labels) }),
        },
        setRequestId(id) {
          requestId = id;
        },
        keepAlive() {
          timer.refresh();
          if (!begun) onCount?.({});
          begun = true;
        },
        count: (counted) => onCount?.(counted),
        emit(delta) {
          firstTokenMs ??= Math.round(performance.now() - since);
          size.add(delta);
          onDelta?.(delta);
        },
      };
      try {
        const { answerSchema, ...others } = request;
        // Some servers support no answer schemas; the caller checks the answer anyway.
        const answer = await withSchema(request.model, answerSchema ? ['schema'] : [], (taken) =>
          ask(taken.has('schema') ? request : others, call),
        );
        checkAnswer(answer);
        return { ...answer, firstTokenMs };
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        if (idle.signal.aborted) {
          throw new ModelError(`The model sent nothing for ${idleMs / 1000} s.`, {
            code: 'ModelTimeout',
            requestId,
            cause: error,
          });
        }
        const named = findModelError(error) ?? sort(told, error) ?? unreadable(error);
        throw withRequestId(named, requestId);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Clients wrap what their `fetch` throws. */
export function findModelError(error: unknown): ModelError | undefined {
  if (error instanceof ModelError) return error;
  return error instanceof Error ? findModelError(error.cause) : undefined;
}

/** A connection error in the middle of an answer does not carry the id of its request. */
function withRequestId(error: ModelError, requestId: string | null): ModelError {
  if (error.requestId !== undefined || requestId === null) return error;
  const { message, code, retryable, retryAfterMs, cause } = error;
  return new ModelError(message, { code, retryable, retryAfterMs, requestId, cause: cause ?? error });
}

function unreadable(error: unknown): ModelError {
  return unreadableAnswer(error instanceof Error ? error.message : String(error), error);
}

/** A request's labels as headers, for a gateway's logs and for the scripted model. */
function labelHeaders(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [`X-Longhaul-${name}`, encodeURIComponent(value)]),
  );
}
