/** No project has this id, or several ids start with it. */
export class UnknownProjectError extends Error {
  override name = 'UnknownProjectError';
}

/** No chat has this id or name. */
export class UnknownChatError extends Error {
  override name = 'UnknownChatError';
}

/** A branch or fork of a chat does not exist, or cannot be made as requested; the message says why. */
export class BranchError extends Error {
  override name = 'BranchError';
}

/** A task cannot be created or changed as requested; the message says why. */
export class TaskError extends Error {
  override name = 'TaskError';
}

/** No made tool has this name. */
export class UnknownMadeToolError extends Error {
  override name = 'UnknownMadeToolError';
}

/** The name of a made tool is taken, switched off or, for a new version, unknown. */
export class MadeToolNameError extends Error {
  override name = 'MadeToolNameError';
}

/** Another chat has the name, or the name is invalid. */
export class ChatNameError extends Error {
  override name = 'ChatNameError';
}

/** The project has no feature of this name. */
export class UnknownFeatureError extends Error {
  override name = 'UnknownFeatureError';
}

/** None of the project's checkpoints, or more than one, has this id or commit. */
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

/** A run would delegate deeper, or to more runs, than it may. */
export class DelegationLimitError extends Error {
  override name = 'DelegationLimitError';
}

/** A person's message is empty or too long. */
export class MessageUnusableError extends Error {
  override name = 'MessageUnusableError';
}

/** A feature cannot change from its status to the requested one. */
export class FeatureTransitionError extends Error {
  override name = 'FeatureTransitionError';
}

/** The directory belongs to a project that has not ended. */
export class FolderInUseError extends Error {
  override name = 'FolderInUseError';
}

/** No consolidation of the memories, and no change made by one, has this id. */
export class UnknownConsolidationError extends Error {
  override name = 'UnknownConsolidationError';
}

/** The status of a change, or what has become of its memories, does not allow what was requested. */
export class MemoryChangeStateError extends Error {
  override name = 'MemoryChangeStateError';
}
