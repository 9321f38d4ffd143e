import { type ErrorKind, LonghaulError } from '../domain/longhaul-error.ts';

const kinds = {
  /** Longhaul's data folder cannot be created or written. */
  HomeNotWritable: 'input',
  /** No Docker daemon answers, and set-up may not or cannot start one. */
  DockerUnavailable: 'away',
  /** The distribution's packages cannot be installed. */
  PackagesUnavailable: 'away',
  /** npm has no Postgres for this platform, it cannot be set up, or it does not fit its data. */
  PostgresUnavailable: 'away',
  /** No source provides the embedding model. */
  EmbeddingModelUnavailable: 'away',
  /** No source provides a program of Temporal's, or the named one is unusable. */
  TemporalToolUnavailable: 'away',
  /** SANDBOX_IMAGE names an image that the daemon does not have. */
  SandboxImageMissing: 'input',
  /** Another process already runs this home's stack: join it. */
  StackRunning: 'conflict',
  /** The file of the stack's state cannot be read. */
  StackStateUnreadable: 'conflict',
  /** A service cannot be kept running. */
  ServiceFailed: 'away',
  /** A service cannot be started, and a retry would not help; the message says what the person must do. */
  ServiceUnstartable: 'conflict',
} as const satisfies Record<string, ErrorKind>;

export type SetupErrorCode = keyof typeof kinds;

/** Thrown when this machine cannot be made ready, or the stack cannot be run on it. */
export class SetupError extends LonghaulError<SetupErrorCode> {
  constructor(code: SetupErrorCode, message: string, { cause }: { cause?: unknown } = {}) {
    super(message, { code, kind: kinds[code], retryable: false, cause });
  }
}

export function isSetupError(error: unknown, code: SetupErrorCode): error is SetupError {
  return error instanceof SetupError && error.code === code;
}
