import type { ApplicationFailure } from '@temporalio/common';
import OpenAI from 'openai';
import { finalFailure, passingFailure } from '../failures.ts';

/** A provider may ask for hours; after a minute it is asked again. */
const longestPauseMs = 60_000;

/** Sorts what a provider or the way to it did wrong into a named failure. */
export function modelFailure(error: unknown): ApplicationFailure {
  if (!(error instanceof OpenAI.APIError)) {
    return passingFailure('ModelUnavailable', `The model's answer could not be read: ${String(error)}`, {
      cause: error,
    });
  }
  const request = error.requestID ? ` (request ${error.requestID})` : '';
  const told = `${error.message}${request}`;
  if (error instanceof OpenAI.APIConnectionError) {
    return passingFailure('ModelUnavailable', `The model could not be reached: ${told} Check OPENAI_BASE_URL.`, {
      cause: error,
    });
  }
  if (error.status === 401 || error.status === 403) {
    return finalFailure(
      'ModelAuthentication',
      `The model refused the key: ${told}. Check OPENAI_API_KEY, then resume.`,
    );
  }
  const retry = shouldRetry(error);
  if (error.status === 429) {
    const message = `The model's limit is reached: ${told}`;
    return retry
      ? passingFailure('ModelRateLimited', message, { retryAfterMs: retryAfterMs(error) })
      : finalFailure('ModelRateLimited', `${message}. Raise the quota, then resume.`);
  }
  if (retry) {
    return passingFailure('ModelUnavailable', `The model failed: ${told}`, { retryAfterMs: retryAfterMs(error) });
  }
  return finalFailure('ModelRequestRefused', `The model refused the request: ${told}`);
}

function shouldRetry(error: InstanceType<typeof OpenAI.APIError>): boolean {
  const wish = error.headers?.get('x-should-retry');
  if (wish === 'true' || wish === 'false') return wish === 'true';
  if (error.code === 'insufficient_quota') return false;
  const { status } = error;
  return status === undefined || status === 408 || status === 409 || status === 429 || status >= 500;
}

function retryAfterMs(error: InstanceType<typeof OpenAI.APIError>): number | undefined {
  const exact = Number(error.headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact)) return Math.min(Math.max(exact, 0), longestPauseMs);
  const header = error.headers?.get('retry-after');
  if (!header) return undefined;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), longestPauseMs) : undefined;
}
