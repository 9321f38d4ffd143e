import { types } from 'node:util';
import { ModelError, type ModelErrorCode } from '../domain/model/model-error.ts';

/** Characters of a message by which an error is classified; a server may send megabytes. */
const classified = 4_000;

/** A provider may ask for a pause of hours; it is called again after a minute at most. */
const maxPauseMs = 60_000;

/** What the clients of OpenAI and Anthropic report of an error response; their error classes have the same shape. */
export interface HttpError {
  message: string;
  /** Undefined if the error came in the middle of a stream. */
  status: number | undefined;
  headers: Headers | undefined;
  /** The provider's own codes for the error, such as `insufficient_quota` or `overloaded_error`. */
  codes: string[];
  requestId: string | null | undefined;
}

/** The `ModelError` for a request that never got an answer: timed out, refused or reset. */
export function connectionError(name: string, error: Error, timedOut: boolean): ModelError {
  if (timedOut) {
    return new ModelError(`${name} did not answer in time: ${error.message}`, { code: 'ModelTimeout', cause: error });
  }
  return new ModelError(`Could not reach ${name}: ${rootOf(error).message}`, {
    code: 'ModelUnreachable',
    cause: error,
  });
}

/** What began a chain of causes: a client says "Connection error.", `fetch` "fetch failed", and only the socket which address refused. */
function rootOf(error: Error): Error {
  // A host with several addresses brings an error for each of them.
  const next: unknown = (error as Partial<AggregateError>).errors?.[0] ?? error.cause;
  return types.isNativeError(next) ? rootOf(next) : error;
}

/** The `ModelError` for an HTTP error response, classified by its cause. */
export function httpError(error: HttpError, cause: unknown): ModelError {
  return new ModelError(error.message, {
    code: codeOf({ ...error, message: error.message.slice(0, classified) }),
    retryable: wish(error.headers),
    retryAfterMs: retryAfterMs(error.headers),
    requestId: error.requestId,
    cause,
  });
}

function codeOf({ status, codes, message }: HttpError): ModelErrorCode {
  const has = (...names: string[]) => names.some((name) => codes.includes(name));
  if (status === 402 || has('insufficient_quota', 'billing_error') || /credit balance is too low/i.test(message))
    return 'ModelQuotaSpent';
  if (has('content_policy_violation', 'content_filter', 'invalid_prompt') || moderated.test(message))
    return 'ModelContentRefused';
  if (isTooLong({ status, codes, message })) return 'ModelContextTooLong';
  if (isNotFound({ status, codes, message })) return 'ModelNotFound';
  if (status === 401 || status === 403 || has('authentication_error', 'permission_error', 'invalid_api_key'))
    return 'ModelAuthentication';
  if (status === 429 || has('rate_limit_error', 'rate_limit_exceeded')) return 'ModelRateLimited';
  if (status === 503 || status === 529 || has('overloaded_error')) return 'ModelOverloaded';
  if (status === 408 || status === 504) return 'ModelTimeout';
  if (status === undefined || status === 409 || status >= 500) return 'ModelServerError';
  return 'ModelRequestRefused';
}

/** With status 429 the same words mean a limit of tokens per minute. */
function isTooLong({ status, codes, message }: Pick<HttpError, 'status' | 'codes' | 'message'>): boolean {
  if (status === 429) return false;
  return status === 413 || codes.some((code) => tooLongCodes.has(code)) || tooLong.test(message);
}

const tooLongCodes: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'model_context_window_exceeded',
  'exceed_context_size_error',
  'request_too_large',
]);

/** The wordings of OpenAI, Anthropic, xAI, Google, Bedrock, llama.cpp, vLLM, Ollama, LM Studio and OpenRouter. */
const tooLong = new RegExp(
  [
    'prompt is too long',
    'input is too long',
    'input( \\(\\d+ tokens\\))? is too large to process',
    'maximum context length',
    'maximum prompt length',
    'context length is only',
    'greater than the context length',
    'when (the )?context (the )?overflows',
    'n_keep[^.]{0,200}>= n_ctx',
    'context (length|window|limit|size)[^.]{0,200}exceed',
    'exceeds?[^.]{0,200}context',
    'input token count[^.]{0,200}exceeds',
  ].join('|'),
  'i',
);

/** The model does not exist, or the key may not use it: another model may still be available. */
function isNotFound({ status, codes, message }: Pick<HttpError, 'status' | 'codes' | 'message'>): boolean {
  return status === 404 || codes.some((code) => notFoundCodes.has(code)) || (status === 400 && notFound.test(message));
}

/** Codes of OpenAI, Anthropic, Mistral and Groq. */
const notFoundCodes: ReadonlySet<string> = new Set([
  'model_not_found',
  'not_found_error',
  'invalid_model',
  'model_decommissioned',
]);

/** The wordings of OpenRouter, LiteLLM and DeepSeek. */
const notFound = /not a valid model id|invalid model name|model not exist/i;

/** OpenRouter's wordings, with a 403, when a filter in front of the model rejects the request. */
const moderated = /requires moderation|input was flagged/i;

/** The value of `x-should-retry`, which takes precedence over the cause. */
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
  return Math.min(Math.max(milliseconds, 0), maxPauseMs);
}
