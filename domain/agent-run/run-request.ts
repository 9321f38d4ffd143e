import type { LoopState } from '../run/loop-detection.ts';

/** The start of an `agentRunWorkflow`; ids and limits only, since the input is in Postgres. */
export interface AgentRunRequest {
  runId: string;
  /** The agent's key, for people who look at the workflow. */
  agent: string;
  kind: AgentKind;
  /** The task queue of the processes that have this version of the agent. */
  queue: string;
  /** Milliseconds from the start, waiting included. */
  timeoutMs?: number | undefined;
  /** How often a failed run is tried again. */
  maxRetries: number;
  /** Milliseconds before the first retry; each further pause is twice as long, up to 300 s. */
  backoffMs: number;
  limits: AgentRunLimits;
  /** Where a declared agent's loop goes on, if its workflow continued as new. */
  progress?: AgentRunProgress;
}

/** How far a run is: what its workflow carries on when it continues as new. */
export interface AgentRunProgress {
  /** The present try, from 1. */
  attempt: number;
  /** When the run began, in milliseconds since 1970. */
  since: number;
  loop: AgentLoopState;
  /** It may have a sandbox. */
  sandbox?: true;
}

/** The state of a declared agent's loop. */
export interface AgentLoopState extends LoopState {
  spent: AgentRunSpent;
  /** Consecutive answers that get nothing done: without a call, though the result has to be submitted, or cut off. */
  idleAnswers: number;
  /** Of a loop, for the next model call. */
  nudge?: string;
}

/** `declared`: Longhaul's loop runs it. `coded`: its own function does. */
export type AgentKind = 'declared' | 'coded';

export interface AgentRunSpent {
  modelCalls: number;
  toolCalls: number;
  tokens: number;
}

/** The most that a run may take. */
export interface AgentRunLimits extends AgentRunSpent {
  /** Dollars, as far as the models' prices are known; unlimited if absent. */
  usd?: number | undefined;
}

/** A task of a small agent takes some ten calls; a run that needs more says so with its own limits. */
export const defaultAgentRunLimits: AgentRunLimits = { modelCalls: 50, toolCalls: 200, tokens: 2_000_000 };

/** A coded agent is its own judge unless it sets limits. */
export const unlimitedAgentRun: AgentRunLimits = {
  modelCalls: Number.MAX_SAFE_INTEGER,
  toolCalls: Number.MAX_SAFE_INTEGER,
  tokens: Number.MAX_SAFE_INTEGER,
};

/** The limits of a run that sets none. */
export function defaultLimitsOf(kind: AgentKind): AgentRunLimits {
  return kind === 'declared' ? defaultAgentRunLimits : unlimitedAgentRun;
}

/** Why no further model call may be made; undefined while something is left. */
export function findReachedRunLimit(spent: AgentRunSpent, limits: AgentRunLimits): string | undefined {
  const names = { modelCalls: 'model calls', toolCalls: 'tool calls', tokens: 'tokens' } as const;
  for (const amount of ['modelCalls', 'toolCalls', 'tokens'] as const) {
    if (spent[amount] >= limits[amount]) {
      return `The run reached its limit of ${limits[amount]} ${names[amount]} (\`limits.${amount}\`).`;
    }
  }
  return undefined;
}

/** The same for what its model calls cost. */
export function findReachedCost(spentUsd: number, { usd }: Pick<AgentRunLimits, 'usd'>): string | undefined {
  if (usd === undefined || spentUsd < usd) return undefined;
  return `The run reached its limit of ${usd} dollars (\`limits.usd\`).`;
}

/** How a try of a run ended. */
export type AgentRunOutcome =
  | { status: 'SUCCEEDED' }
  | { status: 'FAILED'; reason: string; retryable: boolean }
  | { status: 'CANCELLED'; reason: string }
  | { status: 'TIMED_OUT'; reason: string };

/** Why a run, or a try of one, failed, of what a workflow or activity returned; undefined if it returned no failure. */
export function failureOfRun(returned: unknown): string | undefined {
  const { status, reason } = (returned ?? {}) as { status?: unknown; reason?: unknown };
  return (status === 'FAILED' || status === 'TIMED_OUT') && typeof reason === 'string' ? reason : undefined;
}

export const cancelledRun = { status: 'CANCELLED', reason: 'It was cancelled.' } as const;

/** The longest pause between two tries, in milliseconds. */
const maxBackoffMs = 300_000;

/** Milliseconds before the try with the given number, from 2. */
export function retryPause(attempt: number, backoffMs: number): number {
  return Math.min(maxBackoffMs, backoffMs * 2 ** (attempt - 2));
}
