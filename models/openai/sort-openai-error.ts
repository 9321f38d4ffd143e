import OpenAI from 'openai';
import type { ModelError } from '../../domain/model/model-error.ts';
import { connectionError, httpError } from '../http-error.ts';

/** Classifies an error that the client threw; undefined if it is not one of the client's. */
export function sortOpenAiError(name: string, error: unknown): ModelError | undefined {
  if (!(error instanceof OpenAI.APIError)) return undefined;
  if (error instanceof OpenAI.APIConnectionError) {
    return connectionError(name, error, error instanceof OpenAI.APIConnectionTimeoutError);
  }
  return httpError(
    {
      message: `${name} answered: ${error.message}`,
      status: error.status ?? statusIn(error.code),
      headers: error.headers,
      codes: [error.code, error.type].filter((one): one is string => typeof one === 'string'),
      requestId: error.requestID,
    },
    error,
  );
}

/** An error in the middle of a stream has no status of its own, but OpenRouter, vLLM and LiteLLM give the status as its code. */
function statusIn(code: unknown): number | undefined {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : undefined;
}
