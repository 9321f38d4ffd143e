import type { FeatureState } from '../../db/features/features.ts';
import type { Checkpoint } from '../../domain/project/checkpoint.ts';
import type { JudgedDecision } from '../../domain/project/decision.ts';
import type {
  BudgetRequest,
  RevertRequest,
  RevertResult,
  SessionRequest,
  SessionStarted,
  Steered,
  SteerRequest,
} from '../../domain/project/messages.ts';
import type { FeatureVerification, ProjectSettings } from '../../domain/project/settings.ts';
import type { ProjectEvent } from '../../domain/run/event.ts';
import type { Transcript } from '../../domain/run/transcript.ts';
import type { EvidenceBundle } from '../../domain/verification/evidence.ts';
import type { Verification } from '../../domain/verification/verification.ts';
import type { AnswerEvent } from '../events/answer-reader.ts';
import type { FollowOptions, OnEvent } from '../events/follow-events.ts';
import type { Report } from '../report/read-report.ts';
import type { SettingsRequest } from '../start/check-settings.ts';
import type { BudgetView } from './budget-view.ts';
import type { ProjectStatusView } from './project-status.ts';
import type { CheckpointDiff } from './read-checkpoint-diff.ts';
import type { SessionSummary } from './session-summaries.ts';
import type { ProjectResult, WaitOptions } from './wait-for-end.ts';
import type { WorkflowDefect } from './workflow-defect.ts';

export interface FeatureView extends FeatureState {
  /** The commit at which its verification was seen to fail before the work; null if it was not. */
  red: string | null;
}

/** One project, as a program observes and steers it. */
export interface ProjectHandle {
  /** Also the id of its workflow. */
  readonly id: string;
  /**
   * Starts nothing new; work in flight finishes and is kept, or is stopped with `now`. Resolves once the project shows it, or after 10 s, in which
   * case it takes effect as soon as a worker is available.
   * @throws {ClientError} `ProjectEnded`
   */
  pause(request?: { reason?: string | undefined; now?: boolean | undefined }): Promise<void>;
  /**
   * Continues the project, even one that has ended; features without attempts left get new ones. Resolves once the project shows it, or after 10 s,
   * in which case it takes effect as soon as a worker is available. Models that are named apply to its agents from now on; a run that has
   * begun uses them after its own.
   * @throws {DatabaseError} `FolderInUse` if it had ended and another project now uses its folder.
   * @throws {ClientError} `InvalidInput` for a model without a name or an unknown role.
   */
  resume(request?: Pick<SettingsRequest, 'model' | 'models'>): Promise<void>;
  /**
   * Ends the project and keeps everything readable. Resolves once the project shows it, or after 10 s, in which case it takes effect as soon as a
   * worker is available.
   * @throws {ClientError} `ProjectEnded`
   */
  abandon(reason?: string): Promise<void>;
  /**
   * Runs one session, even if the project is paused, waiting or has ended; resolves once the session has begun. With `verifyOnly` no agent works: what
   * the project's folder has since the last checkpoint is verified as a session's work would be.
   * @throws {ClientError} `NoWorker`
   * @throws {DatabaseError} `UnknownFeature`
   * @throws {DatabaseError} `FolderInUse` if the project had ended and another one now uses its folder.
   * @throws {ClientError} `RequestRefused` with the project's reason.
   */
  runSession(request?: SessionRequest): Promise<SessionStarted>;
  /**
   * Moves the project back to a checkpoint and pauses it. What is undone stays reachable.
   * @throws {ClientError} `NoWorker`
   * @throws {DatabaseError} `UnknownCheckpoint`
   * @throws {DatabaseError} `FolderInUse` if the project had ended and another one now uses its folder.
   * @throws {ClientError} `RequestRefused` with the project's reason, e.g. of type `UncommittedChanges`.
   */
  revert(request: RevertRequest): Promise<RevertResult>;
  /**
   * Limits what its models may use; a project that paused at a limit continues with the same turn once it is raised.
   * @throws {ClientError} `ProjectEnded`, `NoWorker`
   * @throws {ClientError} `RequestRefused` if a limit is not a number above 0.
   */
  setBudget(request: BudgetRequest): Promise<void>;
  /**
   * Sends a message to an agent: to the named run, or to whichever asks a model next, before its next turn. It is stored until then, even while the
   * project is paused; sending the same `id` again does not repeat it.
   * @throws {ClientError} `ProjectEnded`
   * @throws {DatabaseError} `UnknownRun`
   * @throws {DatabaseError} `RunEnded` if the named run can no longer receive it.
   * @throws {DatabaseError} `MessageUnusable` if the text is empty or longer than 20,000 characters.
   */
  steer(request: SteerRequest): Promise<Steered>;
  /** Its budgets, and what the whole project has used. */
  budget(): Promise<BudgetView>;
  status(): Promise<ProjectStatusView>;
  /** A bug in Longhaul's code that keeps it from going on; undefined if there is none, or if Temporal cannot be reached. */
  defect(): Promise<WorkflowDefect | undefined>;
  /** The settings it was started with, and the budgets set since. */
  settings(): Promise<ProjectSettings>;
  features(): Promise<FeatureView[]>;
  /**
   * The verifications of a feature, oldest first, those of sessions and those that looked whether it still passes.
   * @throws {DatabaseError} `UnknownFeature`
   */
  evidence(feature: string): Promise<Verification[]>;
  /**
   * The verification of a feature, sealed checks included.
   * @throws {DatabaseError} `UnknownFeature`
   */
  checks(feature: string): Promise<FeatureVerification>;
  /**
   * Replaces the verification of a feature that is not worked on and does not pass.
   * @throws {ClientError} `InvalidInput`
   * @throws {DatabaseError} `UnknownFeature`, `ChecksInUse`
   */
  changeChecks(feature: string, checks: FeatureVerification): Promise<void>;
  /** All verdicts, chained by hash, with the features' checks, sealed ones included: what `longhaul verify` needs beside the repository. */
  evidenceBundle(): Promise<EvidenceBundle>;
  /** Those of the current lineage, oldest first. */
  decisions(): Promise<JudgedDecision[]>;
  sessions(): Promise<SessionSummary[]>;
  /** Those of the current lineage, or with `all` of every lineage. */
  checkpoints(options?: { all?: boolean | undefined }): Promise<Checkpoint[]>;
  /**
   * A checkpoint of any lineage, by its id, its short id (`c3`) or the start of its commit.
   * @throws {DatabaseError} `UnknownCheckpoint`
   */
  checkpoint(reference: string): Promise<Checkpoint>;
  /**
   * The latest events, oldest first; with `after`, those that follow the event of that number (0: from the first on). At most `limit`, which
   * is 1,000 if absent.
   */
  log(options?: { limit?: number | undefined; after?: number | undefined }): Promise<ProjectEvent[]>;
  /** Passes each event, past and future, to `onEvent` until the signal aborts; survives restarts of the database. */
  follow(onEvent: OnEvent, options?: FollowOptions): Promise<void>;
  /**
   * Streams what its models say until the signal aborts, starting with the text so far of answers in progress; rejects with whatever the callback
   * throws. Nothing of it is stored: finished answers are in the transcript.
   */
  watchAnswers(onAnswer: (event: AnswerEvent) => void, options: { signal: AbortSignal }): Promise<void>;
  /**
   * Resolves when the project has ended, or with `orRest` also when it is PAUSED or WAITING for a person.
   * @throws {ClientError} `ProjectStopped` if its workflow was closed from outside.
   */
  waitForEnd(options?: WaitOptions & { signal?: undefined }): Promise<ProjectResult>;
  waitForEnd(options?: WaitOptions): Promise<ProjectResult | undefined>;
  /**
   * Every message of a run, by the run's id, or by the part of it after the project's id (`s3-work`).
   * @throws {DatabaseError} `UnknownRun`
   */
  transcript(run: string): Promise<Transcript>;
  /**
   * What a checkpoint changed compared to the one before it; needs the project's folder on this machine.
   * @throws {DatabaseError} `UnknownCheckpoint`
   */
  diff(checkpoint: string, options?: { stat?: boolean | undefined }): Promise<CheckpointDiff>;
  /** Whether the project's folder has changes that are not committed; needs the folder on this machine. */
  hasUncommittedChanges(): Promise<boolean>;
  /** The project's whole story in Markdown. */
  report(): Promise<string>;
  /** The data that the report is rendered from. */
  reportData(): Promise<Report>;
}
