import type { AnswerDelta } from '../db/transcript/message.ts';
import { ModelError } from './model-error.ts';
import type { ModelAnswer, ModelProvider, ModelRequest } from './model-provider.ts';

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
  /** Sends its requests, such as one that records them; the global one where absent. */
  fetch?: typeof fetch | undefined;
}

/** One exchange that is under way. */
export interface Exchange {
  /** For the provider's client. */
  http: { signal: AbortSignal; headers?: Record<string, string> };
  /** Called whenever something arrives; where nothing does for too long, the exchange is aborted. */
  touch(): void;
  hand(delta: AnswerDelta): void;
}

/** A model may think for ten minutes without a token; one that says nothing for longer is not expected to. */
const defaultIdleMs = 15 * 60_000;

/** What the clients of OpenAI and Anthropic are made with. */
export function clientSettings({ apiKey, baseUrl, fetch }: ProviderOptions) {
  return {
    apiKey: apiKey ?? 'none', // local servers and gateways may want none, the packages want one
    ...(baseUrl && { baseURL: baseUrl }),
    ...(fetch && { fetch }),
    maxRetries: 0, // Temporal retries, and shows that it does
    timeout: 2_147_483_647, // the exchange has its own limit
  };
}

/**
 * A provider of which `ask` does one exchange. What that throws is thrown as a `ModelError`, sorted by `sort` where the provider's
 * client knows it.
 */
export function createProvider(
  { name, headers, idleMs = defaultIdleMs }: ProviderOptions,
  sort: (name: string, error: unknown) => ModelError | undefined,
  ask: (request: ModelRequest, exchange: Exchange) => Promise<Omit<ModelAnswer, 'firstTokenMs'>>,
): ModelProvider {
  return {
    name,
    async complete(request, onDelta) {
      const idle = new AbortController();
      const timer = setTimeout(() => idle.abort(), idleMs);
      const since = performance.now();
      let firstTokenMs: number | null = null;
      const exchange: Exchange = {
        http: {
          signal: AbortSignal.any([request.signal, idle.signal]),
          ...(headers && { headers: labelHeaders(request.labels) }),
        },
        touch: () => void timer.refresh(),
        hand(delta) {
          firstTokenMs ??= Math.round(performance.now() - since);
          onDelta?.(delta);
        },
      };
      try {
        return { ...(await ask(request, exchange)), firstTokenMs };
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        if (idle.signal.aborted) {
          throw new ModelError(`The model said nothing for ${idleMs / 1000} s.`, { why: 'timeout', cause: error });
        }
        throw error instanceof ModelError ? error : (sort(name, error) ?? unreadable(error));
      } finally {
        clearTimeout(timer);
      }
    },
  };
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
