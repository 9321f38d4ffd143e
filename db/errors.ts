/** No project has this id, or the start of an id fits several. */
export class UnknownProjectError extends Error {
  override name = 'UnknownProjectError';
}

/** No chat has this id or name. */
export class UnknownChatError extends Error {
  override name = 'UnknownChatError';
}

/** A chat cannot have a branch of itself, or a fork, as it was asked for; the message says why. */
export class BranchError extends Error {
  override name = 'BranchError';
}

/** A task cannot be created or changed as it was asked; the message says why. */
export class TaskError extends Error {
  override name = 'TaskError';
}

/** No made tool has this name. */
export class UnknownMadeToolError extends Error {
  override name = 'UnknownMadeToolError';
}

/** Another made tool has the name, or none has that should. */
export class MadeToolNameError extends Error {
  override name = 'MadeToolNameError';
}

/** Another chat has the name, or it is none. */
export class ChatNameError extends Error {
  override name = 'ChatNameError';
}

/** The project has no feature of this name. */
export class UnknownFeatureError extends Error {
  override name = 'UnknownFeatureError';
}

/** The project has no checkpoint with this id or commit. */
export class UnknownCheckpointError extends Error {
  override name = 'UnknownCheckpointError';
}

/** No run has this id. */
export class UnknownRunError extends Error {
  override name = 'UnknownRunError';
}

/** The run is over. */
export class RunEndedError extends Error {
  override name = 'RunEndedError';
}

/** A run would delegate further down, or to more others, than it may. */
export class DelegationLimitError extends Error {
  override name = 'DelegationLimitError';
}

/** What a person wants to say has no text, or too much of it. */
export class MessageUnusableError extends Error {
  override name = 'MessageUnusableError';
}

/** A feature cannot go from its status to the one asked for. */
export class FeatureTransitionError extends Error {
  override name = 'FeatureTransitionError';
}

/** The directory is the home of a project that has not ended. */
export class FolderInUseError extends Error {
  override name = 'FolderInUseError';
}

/** No consolidation of the memories, and no change that one made, has this id. */
export class UnknownConsolidationError extends Error {
  override name = 'UnknownConsolidationError';
}

/** What became of a change does not allow what was asked. */
export class MemoryChangeStateError extends Error {
  override name = 'MemoryChangeStateError';
}
