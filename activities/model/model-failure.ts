import type { ApplicationFailure } from '@temporalio/common';
import { growingPause } from '../../domain/growing-pause.ts';
import type { ModelError, ModelErrorCode } from '../../domain/model/model-error.ts';
import { retryableFailure, terminalFailure } from '../failures.ts';

/** What a person can do if retrying does not help. */
const advice: Partial<Record<ModelErrorCode, string>> = {
  ModelAuthentication: 'Check its key (`longhaul models`), then {next}.',
  ModelQuotaSpent: 'Raise the quota or name another model, then {next}.',
  ModelNotFound: "Check the model's name and the server's address (`longhaul models`), then {next}.",
  ModelRequestRefused: 'Check the model and its settings (`longhaul models`), then {next}.',
};

/** Each abandoned try means 15 minutes of silence; four of them take an hour, the time that other outages get. */
const mostSilentTries = 4;

/** Milliseconds; in a chat a person waits, so the pauses of its retry policy grow no longer. */
const longestChatPause = 10_000;

/**
 * The failure to report to Temporal: named by its cause, and retried when the provider says so. The client's own error holds all of the provider's
 * answer and stays here.
 */
export function modelFailure(
  error: ModelError,
  { chatId, tries = 1 }: { chatId?: string | undefined; tries?: number } = {},
): ApplicationFailure {
  const next = advice[error.code]?.replace('{next}', chatId === undefined ? 'resume' : 'ask again');
  const isRetried = error.retryable && !(error.code === 'ModelTimeout' && tries >= mostSilentTries);
  const told = error.retryable || next === undefined ? error.message : `${asSentence(error.message)} ${next}`;
  const create = isRetried ? retryableFailure : terminalFailure;
  return create(error.code, told, { retryAfterMs: pauseOf(error, { chatId, tries }) });
}

/**
 * What the provider asked for, but no less than the retry policy's own pause: Temporal retries no more after a failure that asks for no pause at all,
 * and pauses of some milliseconds use up all tries within seconds.
 */
function pauseOf(
  { retryAfterMs }: ModelError,
  { chatId, tries }: { chatId?: string | undefined; tries: number },
): number | undefined {
  if (retryAfterMs === undefined) return undefined;
  const usual = growingPause(tries);
  return Math.max(retryAfterMs, chatId === undefined ? usual : Math.min(usual, longestChatPause));
}

/** What a provider says often ends without a full stop. */
function asSentence(said: string): string {
  return /[.!?…]$/.test(said) ? said : `${said}.`;
}
