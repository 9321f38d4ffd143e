import type { Database } from '../../db/connection/database.ts';
import type { Decision } from '../../domain/project/decision.ts';
import type { RevertRequest, RevertResult, SessionStarted } from '../../domain/project/messages.ts';
import type { ProjectToolInput, ProjectToolName } from '../tools/project-tool-declarations.ts';

/** What a call of a project tool returns. */
export interface ProjectToolResult {
  text: string;
  failed?: boolean;
  /** What a person is shown of it; by default the start of the text. */
  display?: string;
}

/** One call of a project tool. */
export interface ProjectToolCall {
  /** The same at each attempt, so that a retry adds nothing twice. */
  id: string;
  /** Who calls, for the progress log: "a chat", or an MCP client by its name. */
  by: string;
  /** Ends the waiting, not what the call has begun. */
  signal: AbortSignal;
  /** Tells who waits how far it is. */
  report?: ((text: string) => void) | undefined;
}

export interface ProjectStart extends ProjectToolInput<'create_long_running_project'> {
  /** An absolute path, for callers that work on the same machine; otherwise a folder below the data folder. */
  folder?: string;
}

/** What only a project's workflow or the memory store can do; each throws a `LonghaulError` if it is refused. */
export interface ProjectControl {
  /** Returns the project's id. */
  start(request: ProjectStart, call: ProjectToolCall): Promise<string>;
  pause(projectId: string, request: { reason?: string; now?: boolean }): Promise<void>;
  resume(projectId: string): Promise<void>;
  abandon(projectId: string, reason?: string): Promise<void>;
  revert(projectId: string, request: RevertRequest, call: ProjectToolCall): Promise<RevertResult>;
  /** Begins a session that only verifies what is in the project's folder. */
  verify(projectId: string, feature: string, call: ProjectToolCall): Promise<SessionStarted>;
  /** Stores a decision so that sessions can recall it. */
  remember(decision: Decision): Promise<void>;
}

export interface ProjectToolDependencies {
  /** Does what may be repeated with the database. */
  use<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  control: ProjectControl;
}

export type ProjectTool<Name extends ProjectToolName> = (
  input: ProjectToolInput<Name>,
  call: ProjectToolCall,
) => Promise<ProjectToolResult>;

/** One implementation for each declared tool. */
export type ProjectTools = { [Name in ProjectToolName]: ProjectTool<Name> };
