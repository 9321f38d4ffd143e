/** Why a model did not answer. */
export const modelErrorCauses = [
  'rate-limited',
  'overloaded',
  'server',
  'connection',
  'timeout',
  'authentication',
  'bad-request',
  'context-too-long',
  'content-refused',
  'quota-spent',
] as const;

export type ModelErrorCause = (typeof modelErrorCauses)[number];

const passing: ReadonlySet<ModelErrorCause> = new Set([
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

/** Thrown by every provider when a model did not answer. */
export class ModelError extends Error {
  override name = 'ModelError';
  readonly why: ModelErrorCause;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  constructor(message: string, details: ModelErrorDetails) {
    super(details.requestId ? `${message} (request ${details.requestId})` : message, { cause: details.cause });
    this.why = details.why;
    this.retryable = details.retryable ?? passing.has(details.why);
    this.retryAfterMs = details.retryAfterMs;
    this.requestId = details.requestId ?? undefined;
  }
}
