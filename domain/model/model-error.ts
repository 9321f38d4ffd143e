import type { FailureType } from '../failure-types.ts';
import { type ErrorKind, LonghaulError } from '../longhaul-error.ts';
import { preview } from '../storable-text.ts';

/** Why a model did not answer. */
export type ModelErrorCode = Extract<FailureType, `Model${string}`>;

const kinds: Record<ModelErrorCode, ErrorKind> = {
  ModelRateLimited: 'away',
  ModelOverloaded: 'away',
  ModelServerError: 'away',
  ModelUnreachable: 'away',
  ModelTimeout: 'away',
  ModelAuthentication: 'input',
  ModelNotFound: 'input',
  ModelRequestRefused: 'input',
  ModelTakesNoImages: 'input',
  ModelContextTooLong: 'input',
  ModelContentRefused: 'input',
  ModelQuotaSpent: 'input',
  ModelAnswerTooLong: 'input',
};

export interface ModelErrorDetails {
  code: ModelErrorCode;
  /** Whether another try may succeed; by default decided by the code. */
  retryable?: boolean | undefined;
  /** Milliseconds to wait, as the provider asked. */
  retryAfterMs?: number | undefined;
  /** The provider's id of the request. */
  requestId?: string | null | undefined;
  cause?: unknown;
}

/** Maximum characters of a provider's message: with the request id and advice it goes through workflow history in under 500. */
const maxMessage = 350;

/** Thrown by every provider when a model did not answer. Its message is shortened to one line, since a gateway may answer with a whole page. */
export class ModelError extends LonghaulError<ModelErrorCode> {
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  constructor(message: string, { code, retryable, retryAfterMs, requestId, cause }: ModelErrorDetails) {
    const line = preview(message, maxMessage);
    super(requestId ? `${line} (request ${requestId})` : line, {
      code,
      kind: kinds[code],
      ...(retryable !== undefined && { retryable }),
      cause,
    });
    this.retryAfterMs = retryAfterMs;
    this.requestId = requestId ?? undefined;
  }
}
