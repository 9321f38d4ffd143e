import { ModelError, type ModelErrorCode } from '../../domain/model/model-error.ts';
import type { CountedSoFar, ModelUsage } from '../../domain/model/model-provider.ts';
import { possibleCounts } from './check-usage.ts';
import { costOf } from './prices.ts';

/** Tokens of a call as far as they are known; null means unknown, not 0. */
export type KnownUsage = { [Part in keyof ModelUsage]: number | null };

/** A model call that brought no answer. */
export interface FailedCall {
  /** `provider/model`. */
  model: string;
  /** A `ModelError`, or the reason of the signal that ended it. */
  error: unknown;
  usage: KnownUsage;
  /** US dollars; null if unknown. */
  costUsd: number | null;
  firstTokenMs: number | null;
  /** Milliseconds from the request to its end. */
  durationMs: number;
  requestId: string | null;
}

/** Causes with which a provider rejects a request before a model works on it, and charges nothing. */
const turnedAway: ReadonlySet<ModelErrorCode> = new Set([
  'ModelRateLimited',
  'ModelOverloaded',
  'ModelAuthentication',
  'ModelNotFound',
  'ModelRequestRefused',
  'ModelContextTooLong',
  'ModelContentRefused',
  'ModelQuotaSpent',
]);

/** Node's error codes when no connection is established, so that the request is never sent. */
const neverSent: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * What a failed call used and cost. One that was rejected or never arrived cost nothing. Any other (a server error, a reset, a timeout, a stopped
 * call, an answer that broke off) may be billed: only what the provider had counted by then is known (`counted`; undefined if no answer began), and
 * the cost only if input and output were counted.
 */
export function usageOfFailure(
  model: string,
  error: unknown,
  counted: CountedSoFar | undefined,
): Pick<FailedCall, 'usage' | 'costUsd'> {
  if (counted === undefined && isUnpaid(error)) return { usage: { ...nothingUsed }, costUsd: 0 };
  const possible = possibleCounts(counted ?? {});
  const usage = { ...unknown, ...possible };
  const { inputTokens, outputTokens } = usage;
  const isKnown = inputTokens !== null && outputTokens !== null;
  return { usage, costUsd: isKnown ? costOf(model, { ...nothingUsed, ...possible, inputTokens, outputTokens }) : null };
}

function isUnpaid(error: unknown): boolean {
  return error instanceof ModelError && (turnedAway.has(error.code) || wasNeverSent(error));
}

function wasNeverSent(error: unknown): boolean {
  for (let one = error; typeof one === 'object' && one !== null; one = (one as { cause?: unknown }).cause) {
    if (neverSent.has((one as { code?: unknown }).code)) return true;
  }
  return false;
}

/** The usage of a call that used no tokens. */
export const nothingUsed: ModelUsage = {
  inputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};
const unknown: KnownUsage = {
  inputTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  reasoningTokens: null,
};
