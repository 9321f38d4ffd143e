import { ModelError, type ModelErrorCause } from './model-error.ts';

/** A provider may ask for hours; after a minute it is asked again. */
const longestPauseMs = 60_000;

/** What the clients of OpenAI and Anthropic tell of an answer that is an error; their error classes have the same shape. */
export interface HttpError {
  message: string;
  /** Undefined where an error came in the middle of a stream. */
  status: number | undefined;
  headers: Headers | undefined;
  /** The provider's own names of the error, such as `insufficient_quota` or `overloaded_error`. */
  codes: string[];
  requestId: string | null | undefined;
}

/** Sorts an error of the way to a provider; the clients' classes differ in name only. */
export function wayError(name: string, error: Error, timedOut: boolean): ModelError {
  if (timedOut) {
    return new ModelError(`${name} did not answer in time: ${error.message}`, { why: 'timeout', cause: error });
  }
  const why = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return new ModelError(`${name} could not be reached: ${error.message}${why}`, { why: 'connection', cause: error });
}

/** Sorts an error that the provider answered by its cause. */
export function httpError(error: HttpError, cause: unknown): ModelError {
  return new ModelError(error.message, {
    why: causeOf(error),
    retryable: wish(error.headers),
    retryAfterMs: retryAfterMs(error.headers),
    requestId: error.requestId,
    cause,
  });
}

function causeOf({ status, codes, message }: HttpError): ModelErrorCause {
  const has = (...names: string[]) => names.some((name) => codes.includes(name));
  if (has('insufficient_quota', 'billing_error') || /credit balance is too low/i.test(message)) return 'quota-spent';
  if (has('context_length_exceeded', 'model_context_window_exceeded') || tooLong.test(message))
    return 'context-too-long';
  if (has('content_policy_violation', 'content_filter')) return 'content-refused';
  if (status === 401 || status === 403 || has('authentication_error', 'permission_error', 'invalid_api_key'))
    return 'authentication';
  if (status === 429 || has('rate_limit_error', 'rate_limit_exceeded')) return 'rate-limited';
  if (status === 503 || status === 529 || has('overloaded_error')) return 'overloaded';
  if (status === 408 || status === 504) return 'timeout';
  if (status === undefined || status === 409 || status >= 500) return 'server';
  return 'bad-request';
}

/** How OpenAI, Anthropic, vLLM, Ollama and OpenRouter say it. */
const tooLong = /prompt is too long|maximum context length|context (length|window)[^.]*exceed|exceeds[^.]*context/i;

/** What `x-should-retry` says, which is believed. */
function wish(headers: Headers | undefined): boolean | undefined {
  const said = headers?.get('x-should-retry');
  return said === 'true' ? true : said === 'false' ? false : undefined;
}

function retryAfterMs(headers: Headers | undefined): number | undefined {
  const exact = headers?.get('retry-after-ms');
  if (exact && Number.isFinite(Number(exact))) return clamp(Number(exact));
  const header = headers?.get('retry-after');
  if (!header) return undefined;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? clamp(wait) : undefined;
}

function clamp(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, 0), longestPauseMs);
}
