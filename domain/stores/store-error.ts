import { type ErrorKind, LonghaulError } from '../longhaul-error.ts';

const kinds = {
  /** A value would not come back from JSON as it was. */
  NotJson: 'input',
  UnknownConversation: 'input',
  UnknownMessage: 'input',
  UnknownTask: 'input',
  UnknownFact: 'input',
  UnknownError: 'input',
  /** A project that is to be purged does not exist. */
  UnknownProject: 'input',
  /** Another conversation has the name, or the name is invalid. */
  NameUnusable: 'input',
  /** A message cannot be added, or a branch cannot begin, where it was requested. */
  MessageUnusable: 'input',
  /** A task cannot be created or changed as requested. */
  TaskRefused: 'input',
  /** Something else about what was given cannot be stored. */
  InvalidInput: 'input',
  /** A store of the user's own lacks methods, or was not given as an instance, a factory, or a class with options. */
  StoreUnusable: 'input',
  /** An answer is running in the conversation. */
  ConversationBusy: 'conflict',
  /** Work of a project that is to be purged may still be going on. */
  ProjectNotEnded: 'conflict',
  /** The same for runs of the user's own agents. */
  RunNotEnded: 'conflict',
} as const satisfies Record<string, ErrorKind>;

export type StoreErrorCode = keyof typeof kinds;

/** A request does not fit what a store holds; the same codes from every implementation. */
export class StoreError extends LonghaulError<StoreErrorCode> {
  constructor(code: StoreErrorCode, message: string) {
    super(message, { code, kind: kinds[code] });
  }
}
