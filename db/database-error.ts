import { type ErrorKind, LonghaulError } from '../domain/longhaul-error.ts';

const kinds = {
  UnknownProject: 'input',
  UnknownFeature: 'input',
  UnknownCheckpoint: 'input',
  UnknownRun: 'input',
  UnknownChat: 'input',
  UnknownMadeTool: 'input',
  UnknownConsolidation: 'input',
  UnknownRequest: 'input',
  UnknownDecision: 'input',
  /** A feature cannot be added to a project as it is described. */
  FeatureUnusable: 'input',
  /** A branch or fork of a chat does not exist, or cannot be made as requested. */
  BranchUnusable: 'input',
  /** Another chat has the name, or the name is invalid. */
  ChatNameUnusable: 'input',
  /** The name of a made tool is taken, switched off or, for a new version, unknown. */
  MadeToolNameUnusable: 'input',
  /** A person's message is empty or too long. */
  MessageUnusable: 'input',
  /** Another run has the id. */
  RunExists: 'conflict',
  RunEnded: 'conflict',
  /** A feature is worked on, or passes, by the checks that were to be changed. */
  ChecksInUse: 'conflict',
  /** The status of a feature cannot be set to the requested one. */
  FeatureStatusRefused: 'conflict',
  /** The folder belongs to a project that has not ended. */
  FolderInUse: 'conflict',
  /** The status of a change, or what has become of its memories, does not allow what was requested. */
  MemoryChangeState: 'conflict',
  /** A feature cannot change from its status to the requested one. */
  FeatureTransition: 'defect',
} as const satisfies Record<string, ErrorKind>;

export type DatabaseErrorCode = keyof typeof kinds;

/** A request does not fit the rows in the database. */
export class DatabaseError extends LonghaulError<DatabaseErrorCode> {
  constructor(code: DatabaseErrorCode, message: string) {
    super(message, { code, kind: kinds[code] });
  }
}

export function unknownProject(id: string): DatabaseError {
  return new DatabaseError('UnknownProject', `No project has the id "${id}". \`longhaul list\` shows all.`);
}

export function unknownFeature(projectId: string, name: string, features: Array<{ name: string }>): DatabaseError {
  const names = features.map((one) => one.name).join(', ');
  return new DatabaseError(
    'UnknownFeature',
    `The project ${projectId} has no feature "${name}". ${names ? `Its features: ${names}.` : 'It has no features yet.'}`,
  );
}

export function unknownRun(id: string): DatabaseError {
  return new DatabaseError(
    'UnknownRun',
    `No run has the id "${id}". \`longhaul runs list\` shows those of your own agents.`,
  );
}

export function unknownChat(id: string): DatabaseError {
  return new DatabaseError('UnknownChat', `No chat has the id "${id}". \`longhaul chats list\` shows all.`);
}
