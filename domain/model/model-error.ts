import { preview } from '../storable-text.ts';

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
  /** Whether another try may succeed; by default decided by the cause. */
  retryable?: boolean | undefined;
  /** Milliseconds to wait, as the provider asked. */
  retryAfterMs?: number | undefined;
  /** The provider's id of the request. */
  requestId?: string | null | undefined;
  cause?: unknown;
}

/** Maximum characters of a provider's message: with the request id and advice it goes through workflow history in under 500. */
const longestMessage = 350;

/** Thrown by every provider when a model did not answer. Its message is shortened to one line, since a gateway may answer with a whole page. */
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
