import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Budget, BudgetScope, Budgets, ProjectSettings } from '../db/shapes.ts';
import type { ProjectStatus } from '../db/statuses.ts';

/** What `projectWorkflow` takes; `{ "goal": "..." }` is enough. A project that exists already goes on and needs none of it. */
export interface ProjectInput {
  goal?: string;
  name?: string;
  /** An absolute path on the worker's machine; below Longhaul's data folder where absent. */
  folder?: string;
  /** Take a folder that has files and no git repository. */
  adopt?: boolean;
  settings?: Partial<ProjectSettings>;
  carried?: CarriedState;
  /** It was resumed after it was told to end, when that end could no longer be stopped. */
  resumed?: boolean;
}

/** What a project takes along when it continues as new. */
export interface CarriedState {
  sessions: number;
  /** Sessions that may still be started before a person is asked. */
  sessionsLeft: number | null;
}

/** Why a project starts nothing new. */
export interface Hold {
  kind: 'paused' | 'waiting';
  reason: string;
  /** A budget is spent; raising it goes on. */
  budget?: boolean;
}

export interface PauseRequest {
  reason?: string;
  /** Stop what is in flight rather than let it finish. */
  now?: boolean;
  /** A budget is spent; raising it goes on. */
  budget?: boolean;
  /** It cannot go on without a person, or until a server is back. */
  waiting?: boolean;
  /** The project's budgets when that was seen: where they have been changed since, nothing is paused. */
  budgets?: Budgets;
}

export interface AbandonRequest {
  reason?: string;
}

export interface RevertRequest {
  /** A checkpoint's id, short id or commit. */
  checkpoint: string;
  reason?: string;
  /** Commit a person's uncommitted changes to the kept ref rather than refuse. */
  overUncommittedChanges?: boolean;
}

export interface RevertResult {
  checkpoint: string;
  commit: string;
  /** The ref that keeps what was left. */
  keptRef: string;
}

export interface SessionRequest {
  /** A feature by name; else the next in order. */
  feature?: string;
}

export interface BudgetRequest {
  /** What it is for; the project where absent. */
  scope?: BudgetScope;
  /** What is absent stays, null takes a limit away. */
  limits: { [Name in keyof Budget]?: number | null };
}

export interface SteerRequest {
  /** What an agent is to be told before its next turn. */
  message: string;
  /** Which one: a run's id or what follows the project's id in it; the next that is asked where absent. */
  run?: string;
  /** Of the message, so that sending it again says nothing twice. */
  id?: string;
}

export interface Steered {
  id: string;
  /** The run at work that will hear it; null where none is, and the next one will. */
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
  session?: { id: string; feature: string; attempt: number };
  sessions: number;
}

/** Also sent on to sessions and sub-agents. */
export const pauseSignal = defineSignal<[PauseRequest?]>('pause');
export const resumeSignal = defineSignal('resume');
export const abandonSignal = defineSignal<[AbandonRequest?]>('abandon');
export const revertUpdate = defineUpdate<RevertResult, [RevertRequest]>('revertToCheckpoint');
export const setBudgetUpdate = defineUpdate<Budgets, [BudgetRequest]>('setBudget');
export const steerUpdate = defineUpdate<Steered, [SteerRequest]>('steer');
export const runSessionUpdate = defineUpdate<SessionStarted, [SessionRequest?]>('runSession');
export const statusQuery = defineQuery<ProjectView>('status');

/** How a session ended, as its project sees it. */
export interface SessionOutcome {
  status: 'PASSED' | 'FAILED' | 'INTERRUPTED';
  reason: string;
  /** Set where something other than the agent failed, so that going on at once would fail the same way. */
  trouble?: boolean;
}

/** How an agent's run ended. */
export interface RunOutcome {
  status: 'FINISHED' | 'GAVE_UP' | 'ENDED';
  reason: string;
}
