import { failureTypes } from '../domain/failure-types.ts';
import { type ErrorKind, LonghaulError } from '../domain/longhaul-error.ts';

/** Every code of a `ClientError`, with what kind of problem it is. */
const kinds = {
  /** A goal, folder, list of features, name or option cannot be used. */
  InvalidInput: 'input',
  /** No setting gives the address of the database or Temporal, and no stack of this data folder is running. */
  StackNotRunning: 'away',
  TemporalUnreachable: 'away',
  DatabaseUnreachable: 'away',
  /** `close` was called. */
  Closed: 'input',
  /** A chat message is stored, but Temporal is unreachable: it is answered once the chat is woken, and must not be sent again. */
  MessageWaits: 'away',
  /** Temporal answers, but no Longhaul worker polls for tasks. */
  NoWorker: 'away',
  /** Temporal passes no request on to a project while its workflow task fails or times out again and again. */
  ProjectStuck: 'away',
  /** The project could not start, or not yet; the message is its workflow's. */
  ProjectNotStarted: 'away',
  /** A consolidation of the memories failed; the message is its workflow's. */
  ConsolidationFailed: 'away',
  /** The project refused a request; nothing was changed. */
  RequestRefused: 'conflict',
  /** The project has ended, so there is nothing left to apply the request to. */
  ProjectEnded: 'conflict',
  /** The project's workflow was closed from outside before the project had ended. */
  ProjectStopped: 'conflict',
} as const satisfies Record<string, ErrorKind>;

export type ClientErrorCode = keyof typeof kinds;

/** Failures of workflows that other input would avoid. */
const inputFailures = new Set([
  'InvalidInput',
  'UnknownFeature',
  'UnknownCheckpoint',
  'FolderInUse',
  'FolderNotAllowed',
  'FolderUnusable',
]);

/**
 * An error of the client itself; `code` tells its causes apart. Errors of the stores, git and the configuration pass through unchanged: all of them
 * extend `LonghaulError`.
 */
export class ClientError extends LonghaulError<ClientErrorCode> {
  constructor(
    code: ClientErrorCode,
    message: string,
    /** `failureType`: of the failure that a workflow reported. */
    { cause, failureType }: { cause?: unknown; failureType?: string | undefined } = {},
  ) {
    const kind = failureType !== undefined && inputFailures.has(failureType) ? 'input' : kinds[code];
    const named = failureTypes.find((one) => one === failureType);
    super(message, { code, kind, cause, ...(named && { failureType: named }) });
  }
}

/** Whether a server cannot be reached, which a caller may wait for. */
export function isUnreachable(error: unknown): error is ClientError {
  if (!(error instanceof ClientError)) return false;
  const { code } = error;
  return code === 'DatabaseUnreachable' || code === 'TemporalUnreachable' || code === 'MessageWaits';
}

/** What a connection answers after its `close`. */
export function closedError(): ClientError {
  return new ClientError('Closed', 'This connection to Longhaul was closed. Connect again.');
}

export function isClosed(error: unknown): boolean {
  return error instanceof ClientError && error.code === 'Closed';
}
