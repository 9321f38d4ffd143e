import type { CheckpointRow } from '../../db/checkpoints.ts';
import type { DecisionRow } from '../../db/decisions.ts';
import type { ProjectEvent } from '../../db/events/event.ts';
import type { FeatureState } from '../../db/features.ts';
import type { ProjectSettings } from '../../db/shapes.ts';
import type {
  BudgetRequest,
  RevertRequest,
  RevertResult,
  SessionRequest,
  SessionStarted,
  Steered,
  SteerRequest,
} from '../../workflows/messages.ts';
import type { AnswerEvent } from '../events/answer-event.ts';
import type { FollowOptions, OnEvent } from '../events/follow-events.ts';
import type { Report } from '../report/read-report.ts';
import type { BudgetView } from './budget-view.ts';
import type { ProjectStatusView } from './project-status.ts';
import type { CheckpointDiff } from './read-checkpoint-diff.ts';
import type { Transcript } from './read-transcript.ts';
import type { SessionSummary } from './session-summaries.ts';
import type { ProjectResult, WaitOptions } from './wait-for-end.ts';

/** One project, as a program sees and steers it. */
export interface ProjectHandle {
  /** Also the id of its workflow. */
  readonly id: string;
  /**
   * Starts nothing new; what is in flight finishes and is kept, or with `now` is stopped. Resolves once the project shows it, or after
   * 10 s: it then holds as soon as a worker is there.
   * @throws {ProjectEndedError}
   */
  pause(request?: { reason?: string | undefined; now?: boolean | undefined }): Promise<void>;
  /**
   * Goes on, also after the project had ended; features that used up their attempts get new ones. Resolves once the project shows it, or
   * after 10 s: it then holds as soon as a worker is there.
   * @throws {FolderInUseError} where it had ended and another project lives in its folder.
   */
  resume(): Promise<void>;
  /**
   * Ends the project and keeps everything readable. Resolves once the project shows it, or after 10 s: it then holds as soon as a worker
   * is there.
   * @throws {ProjectEndedError}
   */
  abandon(reason?: string): Promise<void>;
  /**
   * Runs one session, also where the project rests or has ended; resolves when it has begun.
   * @throws {UnknownFeatureError | NoWorkerError}
   * @throws {FolderInUseError} where the project had ended and another one lives in its folder.
   * @throws {RequestRefusedError} with the project's reason.
   */
  runSession(request?: SessionRequest): Promise<SessionStarted>;
  /**
   * Moves the project back to a checkpoint; it is PAUSED afterwards. What is undone stays reachable.
   * @throws {UnknownCheckpointError | NoWorkerError}
   * @throws {FolderInUseError} where the project had ended and another one lives in its folder.
   * @throws {RequestRefusedError} with the project's reason, e.g. of type `UncommittedChanges`.
   */
  revert(request: RevertRequest): Promise<RevertResult>;
  /**
   * Sets limits of what its models may be asked for; a project that paused since one was reached goes on at the same turn.
   * @throws {ProjectEndedError | NoWorkerError}
   * @throws {RequestRefusedError} where a limit is not a number above 0.
   */
  setBudget(request: BudgetRequest): Promise<void>;
  /**
   * Tells an agent something: the run named, or the next one that is asked, before its next turn. It is kept until then, also while the
   * project rests; the same `id` again says nothing twice.
   * @throws {ProjectEndedError}
   * @throws {UnknownRunError}
   * @throws {RunEndedError} where the run named hears nothing any more.
   * @throws {MessageUnusableError} where there is no text, or more than 20,000 characters of it.
   */
  steer(request: SteerRequest): Promise<Steered>;
  /** Its budgets with what is used of that of the project. */
  budget(): Promise<BudgetView>;
  status(): Promise<ProjectStatusView>;
  /** What it was started with, and the budgets set since. */
  settings(): Promise<ProjectSettings>;
  features(): Promise<FeatureState[]>;
  /** Those of the present lineage, oldest first. */
  decisions(): Promise<DecisionRow[]>;
  sessions(): Promise<SessionSummary[]>;
  /** Those of the present lineage, or with `all` of every lineage. */
  checkpoints(options?: { all?: boolean | undefined }): Promise<CheckpointRow[]>;
  /**
   * A checkpoint of any lineage, by its id, its short id (`c3`) or the start of its commit.
   * @throws {UnknownCheckpointError}
   */
  checkpoint(reference: string): Promise<CheckpointRow>;
  /** The latest events, oldest first; 1,000 where no limit is given. */
  log(options?: { limit?: number | undefined }): Promise<ProjectEvent[]>;
  /** Hands over each event, those there and those to come, until the signal aborts; survives restarts of the database. */
  follow(onEvent: OnEvent, options?: FollowOptions): Promise<void>;
  /**
   * Hands over what its models say while they say it, beginning with what was said so far of the answers under way, until the signal
   * aborts; rejects with what the callback throws. None of it is kept: an answer that is complete is in the transcript.
   */
  watchAnswers(onAnswer: (event: AnswerEvent) => void, options: { signal: AbortSignal }): Promise<void>;
  /**
   * Resolves when the project has ended, or with `orRest` also when it is PAUSED or WAITING for a person.
   * @throws {ProjectStoppedError} where its workflow was closed from outside.
   */
  waitForEnd(options?: WaitOptions & { signal?: undefined }): Promise<ProjectResult>;
  waitForEnd(options?: WaitOptions): Promise<ProjectResult | undefined>;
  /**
   * Every message of a run, by its id or what follows the project's id in it (`s3-work`).
   * @throws {UnknownRunError}
   */
  transcript(run: string): Promise<Transcript>;
  /**
   * What a checkpoint changed since the one before it; needs the project's folder on this machine.
   * @throws {UnknownCheckpointError}
   */
  diff(checkpoint: string, options?: { stat?: boolean | undefined }): Promise<CheckpointDiff>;
  /** Whether a person changed something in the project's folder and did not commit it; needs the folder on this machine. */
  hasUncommittedChanges(): Promise<boolean>;
  /** The whole story in Markdown. */
  report(): Promise<string>;
  /** What the report is made of. */
  reportData(): Promise<Report>;
}
