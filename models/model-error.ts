import { preview } from '../db/storable-text.ts';

/** Why a model did not answer. */
export const modelErrorCauses = [
  'rate-limited',
  'overloaded',
  'server',
  'connection',
  'timeout',
  'authentication',
  'model-not-found',
  'bad-request',
  'context-too-long',
  'content-refused',
  'quota-spent',
] as const;

export type ModelErrorCause = (typeof modelErrorCauses)[number];

const retryableCauses: ReadonlySet<ModelErrorCause> = new Set([
  'rate-limited',
  'overloaded',
  'server',
  'connection',
  'timeout',
]);

export interface ModelErrorDetails {
  why: ModelErrorCause;
  /** Whether another try may succeed; by default what the cause says. */
  retryable?: boolean | undefined;
  /** Milliseconds that the provider asked to be left alone. */
  retryAfterMs?: number | undefined;
  /** The provider's id of the request. */
  requestId?: string | null | undefined;
  cause?: unknown;
}

/** Characters of what a provider said: it goes through workflow history, with its request id and what to do next, in under 500. */
const longestMessage = 350;

/** Thrown by every provider when a model did not answer. What it says is on one line and cut, since a gateway may answer with a page. */
export class ModelError extends Error {
  override name = 'ModelError';
  readonly why: ModelErrorCause;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  constructor(message: string, details: ModelErrorDetails) {
    const told = preview(message, longestMessage);
    super(details.requestId ? `${told} (request ${details.requestId})` : told, { cause: details.cause });
    this.why = details.why;
    this.retryable = details.retryable ?? retryableCauses.has(details.why);
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId ?? undefined;
  }
}
