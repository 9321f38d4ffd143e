import { ModelError } from '../../domain/model/model-error.ts';
import { connectionError, httpError } from '../http-error.ts';
import { possibleCounts } from '../usage/check-usage.ts';
import { type KnownUsage, nothingUsed, usageOfFailure } from '../usage/failed-call.ts';
import { costOf } from '../usage/prices.ts';

/** One HTTP call for embeddings, as reported to the ledger. */
export interface EmbeddingCall {
  /** `provider/model`. */
  model: string;
  /** Absent if the call was answered. */
  error?: ModelError;
  usage: KnownUsage | null;
  costUsd: number | null;
  firstTokenMs: null;
  durationMs: number;
  requestId: string | null;
  /** The client's attempt at the same texts, from 1. */
  attempt: number;
}

/**
 * Follows the HTTP calls of one request, which the client retries by itself. Each failed call is reported when it fails, the last one with its
 * outcome.
 */
export function followCalls(model: string, send: typeof fetch, onCall: (call: EmbeddingCall) => void) {
  let attempt = 0;
  let since = 0;
  let isOpen = false;

  function report(call: Pick<EmbeddingCall, 'usage' | 'costUsd' | 'requestId'> & { error?: ModelError }): void {
    isOpen = false;
    onCall({ model, firstTokenMs: null, durationMs: Math.round(performance.now() - since), attempt, ...call });
  }

  function failed(error: ModelError): void {
    if (isOpen) report({ ...usageOfFailure(model, error, undefined), error, requestId: error.requestId ?? null });
  }

  const follow: typeof fetch = async (input, init) => {
    attempt += 1;
    since = performance.now();
    isOpen = true;
    try {
      const response = await send(input, init);
      const { ok, status, headers } = response;
      if (!ok) {
        const requestId = headers.get('x-request-id');
        failed(httpError({ message: `${status}`, status, headers, codes: [], requestId }, undefined));
      }
      return response;
    } catch (error) {
      failed(
        error instanceof ModelError ? error : connectionError(model, error as Error, init?.signal?.aborted ?? false),
      );
      throw error;
    }
  };

  return {
    fetch: follow,
    failed,
    answered(tokens: number | undefined, requestId: string | null): void {
      const { inputTokens } = tokens === undefined ? {} : possibleCounts({ inputTokens: tokens });
      const usage = inputTokens === undefined ? null : { ...nothingUsed, inputTokens };
      report({ usage, costUsd: usage && costOf(model, usage), requestId });
    },
  };
}
