import type { RunRecord } from '../../domain/agent-run/run-record.ts';
import type { AgentRuntimeEventData, LiveEventData } from '../../domain/run/event.ts';
import type { RunResult, RunView } from './run-view.ts';

/** An event of a run; `sequence` counts its stored events from 1, and live ones (`assistant.delta`, `run.heartbeat`) have that of the stored one before. */
export type RunEvent<Custom extends Record<string, unknown> = Record<never, never>> = {
  runId: string;
  sequence: number;
  createdAt: Date;
} & (
  | AgentRuntimeEventData
  | LiveEventData
  | { [Type in keyof Custom & string]: { type: Type; payload: Custom[Type] } }[keyof Custom & string]
);

export interface EventsOptions {
  /** Only events after this sequence number; 0, all, if absent. */
  after?: number;
  /** Whether text that is being written comes too; true if absent. */
  live?: boolean;
  signal?: AbortSignal;
}

/** A run of a user's own agent. */
export interface RunHandle<Output = unknown> {
  readonly runId: string;
  /**
   * Waits for the end; the run goes on without it.
   * @throws {RunFailedError} if it failed, was cancelled or timed out.
   */
  result(): Promise<RunResult<Output>>;
  /**
   * The run's events from any place on, then those to come, until its end. `Custom` names the types of the agent's own events and what they bring.
   */
  events<Custom extends Record<string, unknown> = Record<never, never>>(
    options?: EventsOptions,
  ): AsyncIterable<RunEvent<Custom>>;
  /** Asks the run to stop; it learns of that within seconds. Does nothing if it has ended. */
  cancel(): Promise<void>;
  status(): Promise<RunView>;
  /**
   * All that the run, which has ended, was given, asked for and got, without secrets; `recordRun` of longhaul/testing writes it to a file.
   * @throws {ClientError} `InvalidInput` if it has not ended.
   */
  record(): Promise<RunRecord>;
}
