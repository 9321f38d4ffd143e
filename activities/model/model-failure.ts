import type { ApplicationFailure } from '@temporalio/common';
import { growingPause } from '../../domain/growing-pause.ts';
import type { ModelError, ModelErrorCode } from '../../domain/model/model-error.ts';
import { retryableFailure, terminalFailure } from '../failures.ts';

/** What a person can do if retrying does not help, or would have to do for it to help. */
const advice: Partial<Record<ModelErrorCode, string>> = {
  ModelUnreachable: 'Check that its server runs, and its address (`longhaul config`).',
  ModelServerError: 'Its server has an error: its log may say which.',
  ModelAuthentication: 'Check its key (`longhaul models`), then {next}.',
  ModelQuotaSpent: 'Raise the quota or name another model, then {next}.',
  ModelNotFound: "Check the model's name and the server's address (`longhaul models`), then {next}.",
  ModelAnswerTooLong: "Check the server's address and its model (`longhaul models`), then {next}.",
  ModelTakesNoImages:
    'Send the message without pictures, or choose a model that takes them (`/model`, or `--model`), then {next}.',
  ModelRequestRefused: 'Check the model and its settings (`longhaul models`), then {next}.',
};

/** Each abandoned try means 15 minutes of silence; four of them take an hour, the time that other outages get. */
const maxSilentTries = 4;

/** How the failure of a model call is reported. */
export interface FailureAdvice {
  /** What a person does to have the call made again. */
  next: string;
  /** The longest pause of its retry policy, in milliseconds, where that is shorter than a minute. */
  maxPauseMs?: number;
}

/** In a chat a person waits. */
export const adviceInChat: FailureAdvice = { next: 'ask again', maxPauseMs: 10_000 };

/**
 * The failure to report to Temporal: named by its cause, and retried when the provider says so. The client's own error contains the provider's whole
 * answer, so it is not passed on.
 */
export function modelFailure(
  error: ModelError,
  {
    next = 'resume',
    maxPauseMs = Number.POSITIVE_INFINITY,
    tries = 1,
  }: Partial<FailureAdvice> & { tries?: number } = {},
): ApplicationFailure {
  const help = advice[error.code]?.replace('{next}', next);
  const isRetried = error.retryable && !(error.code === 'ModelTimeout' && tries >= maxSilentTries);
  const isOfServer = error.code === 'ModelUnreachable' || error.code === 'ModelServerError';
  const isHelped = help !== undefined && (!error.retryable || isOfServer);
  const message = isHelped ? `${asSentence(error.message)} ${help}` : error.message;
  const create = isRetried ? retryableFailure : terminalFailure;
  return create(error.code, message, { retryAfterMs: pauseOf(error, Math.min(growingPause(tries), maxPauseMs)) });
}

/**
 * The pause that the provider asked for, but at least the retry policy's own. Temporal stops retrying after a failure that asks for no pause at all,
 * and pauses of some milliseconds use up all tries within seconds.
 */
function pauseOf({ retryAfterMs }: ModelError, policyMs: number): number | undefined {
  return retryAfterMs === undefined ? undefined : Math.max(retryAfterMs, policyMs);
}

/** What a provider says often ends without a full stop. */
function asSentence(said: string): string {
  return /[.!?…]$/.test(said) ? said : `${said}.`;
}
