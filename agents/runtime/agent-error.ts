import { type ErrorKind, LonghaulError } from '../../domain/longhaul-error.ts';

/** Every code of an `AgentError`, with what kind of problem it is. */
const kinds = {
  /** The definition of an agent, a tool or a step cannot be used. */
  InvalidDefinition: 'input',
  /** Another agent, tool or step has that name. */
  DuplicateName: 'input',
  UnknownAgent: 'input',
  UnknownTool: 'input',
  /** What a tool, an agent or a step was given, or what it returned, does not fit its schema. */
  InvalidValue: 'input',
  /** A call with side effects was cut off: nobody knows whether it took effect, so it is not repeated. */
  CallCutOff: 'conflict',
  /** A person refused the call. */
  CallRefused: 'conflict',
  /** What was called outside the agent's process, such as a client's function, failed. */
  CallFailed: 'conflict',
  TimedOut: 'away',
} as const satisfies Record<string, ErrorKind>;

export type AgentErrorCode = keyof typeof kinds;

/** Thrown by the runtime of users' own agents. */
export class AgentError extends LonghaulError<AgentErrorCode> {
  constructor(code: AgentErrorCode, message: string, { cause }: { cause?: unknown } = {}) {
    super(message, { code, kind: kinds[code], cause });
  }
}

/** Thrown by an agent, a tool or a step whose failure no retry can mend: it fails at once. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}

/** Whether another try may succeed: not after a `PermanentError`, nor after invalid input. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof PermanentError) return false;
  return !(error instanceof LonghaulError) || error.retryable;
}
