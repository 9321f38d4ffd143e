import type { AnswerDelta } from '../db/transcript/message.ts';
import { ModelError } from './model-error.ts';
import type { CountedSoFar, ModelAnswer, ModelProvider, ModelRequest } from './model-provider.ts';
import { patientFetch } from './patient-fetch.ts';

/** How a provider is reached. */
export interface ProviderSettings {
  apiKey?: string | undefined;
  /** The provider's own endpoint where absent. */
  baseUrl?: string | undefined;
  /** Whether requests carry `X-Longhaul-*` headers. */
  headers: boolean;
}

export interface ProviderOptions extends ProviderSettings {
  /** The provider's name, as in `provider/model`. */
  name: string;
  /** Milliseconds without a byte after which a call is given up. */
  idleMs?: number | undefined;
  /** Sends its requests, such as one that records them; `patientFetch` where absent. */
  fetch?: typeof fetch | undefined;
}

/** One call of a provider that is under way. */
export interface ProviderCall {
  /** For the provider's client. */
  http: { signal: AbortSignal; headers?: Record<string, string> };
  /** Called with the provider's id of the request, or null, as soon as the answer's headers are there. */
  setRequestId(requestId: string | null): void;
  /** Called whenever something arrives; where nothing does for too long, the call is aborted. */
  keepAlive(): void;
  emit(delta: AnswerDelta): void;
  /** Called with the tokens that the provider has counted by then; a later count takes the place of an earlier one. */
  count(counted: CountedSoFar): void;
}

/** A model may think for ten minutes without a token; one that says nothing for longer is not expected to. */
export const defaultIdleMs = 15 * 60_000;

/** What the clients of OpenAI and Anthropic are made with. */
export function clientSettings({ apiKey, baseUrl, fetch = patientFetch }: ProviderOptions) {
  return {
    apiKey: apiKey ?? 'none', // local servers and gateways may want none, the packages want one
    ...(baseUrl && { baseURL: baseUrl }),
    fetch,
    maxRetries: 0, // Temporal retries, and shows that it does
    timeout: 2_147_483_647, // the call has its own limit
  };
}

/**
 * A provider of which `ask` makes one call. What that throws is thrown as a `ModelError`, sorted by `sort` where the provider's
 * client knows it.
 */
export function createProvider(
  { name, headers, idleMs = defaultIdleMs }: ProviderOptions,
  sort: (name: string, error: unknown) => ModelError | undefined,
  ask: (request: ModelRequest, call: ProviderCall) => Promise<Omit<ModelAnswer, 'firstTokenMs'>>,
): ModelProvider {
  return {
    name,
    async complete(request, onDelta, onCount) {
      const idle = new AbortController();
      const timer = setTimeout(() => idle.abort(), idleMs);
      const since = performance.now();
      let firstTokenMs: number | null = null;
      let begun = false;
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
          onDelta?.(delta);
        },
      };
      try {
        return { ...(await ask(request, call)), firstTokenMs };
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        if (idle.signal.aborted) {
          throw new ModelError(`The model said nothing for ${idleMs / 1000} s.`, {
            why: 'timeout',
            requestId,
            cause: error,
          });
        }
        const named = error instanceof ModelError ? error : (sort(name, error) ?? unreadable(error));
        throw withRequestId(named, requestId);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** A connection error in the middle of an answer does not know which request it ended. */
function withRequestId(error: ModelError, requestId: string | null): ModelError {
  if (error.requestId !== undefined || requestId === null) return error;
  const { message, why, retryable, retryAfterMs, cause } = error;
  return new ModelError(message, { why, retryable, retryAfterMs, requestId, cause: cause ?? error });
}

function unreadable(error: unknown): ModelError {
  const told = error instanceof Error ? error.message : String(error);
  return new ModelError(`The model's answer broke off or could not be read: ${told}`, {
    why: 'connection',
    cause: error,
  });
}

/** Labels of a request as headers, for a gateway's logs and for the scripted model. */
function labelHeaders(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [`X-Longhaul-${name}`, encodeURIComponent(value)]),
  );
}
