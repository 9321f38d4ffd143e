import { type FailureType, failureTypes } from './failure-types.ts';

/**
 * What a person or program can do about an error. `input`: give something else. `away`: a server, host or disk is unavailable, so that trying again
 * later may succeed. `conflict`: something else is in the way and has to be resolved first. `defect`: a bug.
 */
export type ErrorKind = 'input' | 'away' | 'conflict' | 'defect';

export interface ErrorDetails<Code extends string> {
  /** Tells the causes of one class apart, such as `RepositoryBusy`. */
  code: Code;
  kind: ErrorKind;
  /** Whether an immediate retry may succeed; by default only if something is away. */
  retryable?: boolean;
  /** The type of the failure that a workflow sees; the code if that is one, else what `kind` says. */
  failureType?: FailureType;
  cause?: unknown;
}

/**
 * The base of every error with a known cause. Each module has one class of its own; its message says what was expected, what came and what to do
 * next. The exit code of the command line follows from `kind`.
 */
export abstract class LonghaulError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  readonly failureType: FailureType;
  constructor(message: string, details: ErrorDetails<Code>) {
    const { code, kind, retryable = kind === 'away', failureType, cause } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.kind = kind;
    this.retryable = retryable;
    this.failureType =
      failureType ?? failureTypes.find((one) => one === code) ?? (kind === 'defect' ? 'Internal' : 'InvalidInput');
  }
}
