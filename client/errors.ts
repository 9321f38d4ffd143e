/**
 * What the client itself throws with a known cause; its message says what was expected, what came and what to do next. Errors of the stores,
 * git and the configuration, such as `UnknownProjectError`, come through as they are and are exported beside it.
 */
export abstract class LonghaulError extends Error {}

/** What was given cannot be used: a goal, a folder, a list of features, a name. */
export class InvalidInputError extends LonghaulError {
  override name = 'InvalidInputError';
}

/** Nothing says where the database or Temporal is, and no stack of this data folder runs. */
export class StackNotRunningError extends LonghaulError {
  override name = 'StackNotRunningError';
}

export class TemporalUnreachableError extends LonghaulError {
  override name = 'TemporalUnreachableError';
}

/** What a person said in a chat is stored, but Temporal cannot be told of it: it is answered once the chat is woken, and must not be said again. */
export class MessageWaitsError extends TemporalUnreachableError {
  override name = 'MessageWaitsError';
}

export class DatabaseUnreachableError extends LonghaulError {
  override name = 'DatabaseUnreachableError';
}

/** Temporal answers, but no worker of Longhaul asks it for work. */
export class NoWorkerError extends LonghaulError {
  override name = 'NoWorkerError';
}

/** What a project's workflow answered. */
export abstract class WorkflowError extends LonghaulError {
  /** One of Longhaul's failure types, such as `UnknownCheckpoint`. */
  readonly failureType: string | undefined;
  constructor(message: string, failureType: string | undefined, options?: ErrorOptions) {
    super(message, options);
    this.failureType = failureType;
  }
}

/** The project could not begin; its workflow says why. */
export class ProjectNotStartedError extends WorkflowError {
  override name = 'ProjectNotStartedError';
}

/** A consolidation of the memories stopped; its workflow says why. */
export class ConsolidationFailedError extends WorkflowError {
  override name = 'ConsolidationFailedError';
}

/** The project refused what it was asked; nothing was changed. */
export class RequestRefusedError extends WorkflowError {
  override name = 'RequestRefusedError';
}

/** The project has ended, so that there is nothing left to do this to. */
export class ProjectEndedError extends LonghaulError {
  override name = 'ProjectEndedError';
}

/** The project's workflow was closed from outside, without the project having ended. */
export class ProjectStoppedError extends LonghaulError {
  override name = 'ProjectStoppedError';
}
