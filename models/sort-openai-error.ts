import OpenAI from 'openai';
import { connectionError, httpError } from './http-error.ts';
import type { ModelError } from './model-error.ts';

/** Classifies an error that the client threw; undefined if it is not one of the client's. */
export function sortOpenAiError(name: string, error: unknown): ModelError | undefined {
  if (!(error instanceof OpenAI.APIError)) return undefined;
  if (error instanceof OpenAI.APIConnectionError) {
    return connectionError(name, error, error instanceof OpenAI.APIConnectionTimeoutError);
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
