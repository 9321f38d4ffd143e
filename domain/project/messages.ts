import type { Budget, BudgetScope, Budgets, ProjectSettings } from './settings.ts';
import type { Category, ProjectStatus } from './statuses.ts';

/** The input of `projectWorkflow`; `{ "goal": "..." }` is enough. A project that exists already continues, and needs none of it. */
export interface ProjectInput {
  goal?: string;
  name?: string;
  /** An absolute path on the worker's machine; by default below Longhaul's data folder. */
  folder?: string;
  /** Take over a folder that has files but no git repository. */
  adopt?: boolean;
  settings?: Partial<ProjectSettings>;
  carried?: CarriedState;
  /** A resume came when the project's end could no longer be stopped. */
  resumed?: boolean;
}

/** What a project carries over when it continues as new. */
export interface CarriedState {
  sessions: number;
  /** Sessions that may still be started before a person is asked. */
  sessionsLeft: number | null;
  /** Sessions whose verified work waits for a person's answer. */
  asking?: AskingSession[];
}

export interface AskingSession {
  id: string;
  number: number;
  claim: ClaimedFeature;
  verified: VerifiedWork;
}

/** Why a project starts nothing new. */
export interface Hold {
  kind: 'paused' | 'waiting';
  reason: string;
  /** A budget is spent, or a rule stops the spending; raising it or an answer ends the hold. */
  budget?: boolean;
  /** What is in flight is stopped rather than finished. */
  now?: boolean;
}

export interface PauseRequest {
  reason?: string;
  /** Stop running work instead of letting it finish. */
  now?: boolean;
  /** A budget is spent; raising it ends the pause. */
  budget?: boolean;
  /** Something is missing that only a person or time can provide. */
  waiting?: boolean;
  /** The request that a person has to answer before more is spent: if it was answered meanwhile, nothing is paused. */
  request?: string;
  /** The project's budgets when the reason arose: if they have changed since, nothing is paused. */
  budgets?: Budgets;
}

export interface AbandonRequest {
  reason?: string;
}

export interface RevertRequest {
  /** A checkpoint's id, short id or commit. */
  checkpoint: string;
  reason?: string;
  /** Commit a person's uncommitted changes to the kept ref instead of refusing. */
  overUncommittedChanges?: boolean;
}

/** A revert to do or to finish. */
export interface Revert {
  /** A revert with the same id continues an earlier one. */
  revertId: string;
  request: RevertRequest;
}

export interface RevertResult {
  checkpoint: string;
  commit: string;
  /** The ref of the state before the revert. */
  keptRef: string;
}

export interface SessionRequest {
  /** A feature by name; by default the next in order. */
  feature?: string;
  /** No agent works: what is in the project's folder since the last checkpoint is the work. It needs `feature`. */
  verifyOnly?: boolean;
}

export interface BudgetRequest {
  /** By default the project. */
  scope?: BudgetScope;
  /** An absent limit stays as it is, null removes it. */
  limits: { [Name in keyof Budget]?: number | null };
}

export interface SteerRequest {
  /** What an agent reads before its next turn. */
  message: string;
  /** Which agent: a run's id, or the part of it after the project's id; by default the next one whose model is asked. */
  run?: string;
  /** The message's id, so that sending it again does not repeat it. */
  id?: string;
}

export interface Steered {
  id: string;
  /** The run at work that will read it; null if none is at work, in which case the next run does. */
  run: string | null;
}

export interface SessionStarted {
  sessionId: string;
  feature: string;
  attempt: number;
}

export interface ProjectView {
  status: ProjectStatus;
  reason?: string;
  /** Those at work, or whose verified work waits to land. */
  sessions: Array<{ id: string; feature: string; attempt: number }>;
  /** How many sessions there were, those at work included. */
  started: number;
}

/** What a session is given to work on, or why it is given nothing. */
export type Claim =
  | ({ kind: 'feature' } & ClaimedFeature)
  | { kind: 'all-passing' }
  /** There is a next feature, but no session may be started. */
  | { kind: 'not-started' }
  /** What is left is being worked on. */
  | { kind: 'busy' }
  | { kind: 'blocked'; reason: string }
  /** The requested feature cannot be worked on now. */
  | { kind: 'refused'; reason: string };

export interface ClaimedFeature {
  feature: string;
  category: Category;
  attempt: number;
}

export interface VerifiedWork {
  commit: string;
  reason: string;
  /** Checks were added since; the commit has to pass them too. */
  checksAdded?: boolean | undefined;
}

/** How a session ended, as its project sees it. */
export type SessionOutcome =
  /** The commit passed its verification, and is for the project to land. */
  | ({ kind: 'verified' } & VerifiedWork)
  /** It had landed before its project was reset. */
  | { kind: 'landed'; reason: string }
  /** `needsPerson`: the feature waits for a person, and the attempt does not count. */
  | { kind: 'failed'; reason: string; needsPerson?: true }
  /** `unavailable`: something other than the agent failed, so that continuing at once would fail the same way. */
  | { kind: 'interrupted'; reason: string; unavailable?: boolean };

/** How an agent can end its run. */
export type RunEnding = 'FINISHED' | 'GAVE_UP' | 'IMPOSSIBLE' | 'CHANGE_REQUESTED' | 'ASKED' | 'OBJECTED';

/** How an agent's run ended. */
export interface RunOutcome {
  status: RunEnding | 'ENDED';
  reason: string;
}

/**
 * Characters, about 25,000 tokens: a model reads the goal in every session and must still have room to plan; well under Temporal's 2 MB limit for one
 * input. A longer goal belongs in a file of the repository.
 */
export const maxGoalLength = 100_000;
