/**
 * An error of the client itself with a known cause; its message says what was expected, what came and what to do next. Errors of the stores, git and
 * the configuration, such as `DatabaseError`, pass through unchanged and are exported beside it.
 */
export abstract class LonghaulError extends Error {}

/** The input is unusable: a goal, a folder, a list of features, a name. */
export class InvalidInputError extends LonghaulError {
  override name = 'InvalidInputError';
}

/** No setting gives the address of the database or Temporal, and no stack of this data folder is running. */
export class StackNotRunningError extends LonghaulError {
  override name = 'StackNotRunningError';
}

export class TemporalUnreachableError extends LonghaulError {
  override name = 'TemporalUnreachableError';
}

/** A chat message is stored, but Temporal is unreachable: it will be answered once the chat is woken, and must not be sent again. */
export class MessageWaitsError extends TemporalUnreachableError {
  override name = 'MessageWaitsError';
}

export class DatabaseUnreachableError extends LonghaulError {
  override name = 'DatabaseUnreachableError';
}

/** Temporal answers, but no Longhaul worker is polling for tasks. */
export class NoWorkerError extends LonghaulError {
  override name = 'NoWorkerError';
}

/** A failure that a workflow reported. */
export abstract class WorkflowError extends LonghaulError {
  /** One of Longhaul's failure types, such as `UnknownCheckpoint`. */
  readonly failureType: string | undefined;
  constructor(message: string, failureType: string | undefined, options?: ErrorOptions) {
    super(message, options);
    this.failureType = failureType;
  }
}

/** The project could not start, or not yet; the message is its workflow's. */
export class ProjectNotStartedError extends WorkflowError {
  override name = 'ProjectNotStartedError';
}

/** A consolidation of the memories failed; the message is its workflow's. */
export class ConsolidationFailedError extends WorkflowError {
  override name = 'ConsolidationFailedError';
}

/** The project refused a request; nothing was changed. */
export class RequestRefusedError extends WorkflowError {
  override name = 'RequestRefusedError';
}

/** The project has ended, so there is nothing left to apply the request to. */
export class ProjectEndedError extends LonghaulError {
  override name = 'ProjectEndedError';
}

/** The project's workflow was closed from outside before the project had ended. */
export class ProjectStoppedError extends LonghaulError {
  override name = 'ProjectStoppedError';
}
