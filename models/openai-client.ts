import OpenAI from 'openai';
import { httpError } from './http-error.ts';
import { ModelError } from './model-error.ts';

export interface OpenAiOptions {
  /** The provider's name, as in `provider/model`. */
  name: string;
  apiKey?: string | undefined;
  /** OpenAI's own endpoint where absent. */
  baseUrl?: string | undefined;
  /** Whether requests carry `X-Longhaul-*` headers. */
  headers: boolean;
  /** Milliseconds without a byte after which a call is given up. */
  idleMs?: number | undefined;
}

/** OpenAI's own client without its retries: Temporal retries, and shows that it does. */
export function createOpenAiClient({ apiKey, baseUrl }: OpenAiOptions): OpenAI {
  return new OpenAI({
    apiKey: apiKey ?? 'none', // local servers want no key, the package wants one
    ...(baseUrl && { baseURL: baseUrl }),
    maxRetries: 0,
    timeout: 2_147_483_647, // the exchange has its own limit
  });
}

/** Sorts what the client throws; undefined for what is none of its errors. */
export function sortOpenAiError(name: string, error: unknown): ModelError | undefined {
  if (!(error instanceof OpenAI.APIError)) return undefined;
  if (error instanceof OpenAI.APIConnectionTimeoutError) {
    return new ModelError(`${name} did not answer in time: ${error.message}`, { why: 'timeout', cause: error });
  }
  if (error instanceof OpenAI.APIConnectionError) {
    const why = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return new ModelError(`${name} could not be reached: ${error.message}${why}`, { why: 'connection', cause: error });
  }
  return httpError(
    {
      message: `${name} answered: ${error.message}`,
      status: error.status,
      headers: error.headers,
      codes: [error.code, error.type].filter((one): one is string => typeof one === 'string'),
      requestId: error.requestID,
    },
    error,
  );
}
