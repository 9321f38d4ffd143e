import type { StuckLimits } from './loop-detection.ts';
import type { Role } from './role.ts';
import type { OwnerKind, RunOwner } from './run-owner.ts';

/** One run of one agent; only ids, since its words are in the transcript. */
export interface AgentRun<Kind extends OwnerKind = OwnerKind> {
  owner: RunOwner<Kind>;
  runId: string;
  role: Role;
  maxTurns: number;
  /** For an agent that talks with a person: the most tokens that the answer to one message may take. */
  answerTokens?: number;
  /** For such an agent: why this is its last model call, in which it must answer. */
  lastCall?: string;
  /** For such an agent: a warning that it makes no progress, for this model call. */
  nudge?: string;
  /** When it counts as stuck, if its project or the settings file sets that. */
  stuck?: Partial<StuckLimits> | undefined;
  sessionId?: string;
  /** The run that delegates to it, whose budget it shares. */
  parentRunId?: string;
  /** The sandbox that the run's tools work in. */
  sandbox?: string;
  feature?: string;
  attempt?: number;
  /** Set if its result is submitted by a tool, rather than said in words. */
  submits?: true;
  /** Set if it must leave no trace beyond its transcript. */
  memory?: false;
}

/** How long a run may take and when it counts as stuck; fixed when it begins. */
export type RunLimits = Pick<AgentRun, 'maxTurns' | 'stuck'>;

/** A run to begin; a limit that it sets itself takes precedence over those of its project and of the worker's settings. */
export type RunRequest = Omit<AgentRun<'project'>, 'maxTurns'> & { maxTurns?: number };
