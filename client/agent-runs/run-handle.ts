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

/** What a client's function is told of the call that it runs for. */
export interface ProvidedCall {
  /** The call's id, the same at each attempt. */
  callId: string;
  /** To hand on to a service that accepts one: the same at each attempt, and for no other call. */
  idempotencyKey: string;
  /** Aborts when the run has ended, and at the tool's own timeout. */
  signal: AbortSignal;
}

/** The functions by which a client makes calls of an agent's tools, by the tools' names; each returns JSON or a text, and is given what fits the tool's parameters. */
// biome-ignore lint/suspicious/noExplicitAny: the tool's parameters, which are checked, say what it is
export type ProvidedTools = Record<string, (input: any, call: ProvidedCall) => unknown>;

/** A client that makes calls for a run. */
export interface Providing {
  /** Resolves when the run has ended or the client has left. */
  readonly ended: Promise<void>;
  /** Takes no more calls, and resolves once those in flight have ended; later calls wait for the next client. */
  leave(): Promise<void>;
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
  /**
   * Makes the calls of the agent's tools that have `on: 'client'`, in this process, until the run has ended. While no client provides a tool, its calls
   * wait. If the client dies during a call, the next one makes it again, unless it has side effects: then the agent is told that it was cut off.
   * @throws {ClientError} `InvalidInput` if it is given no function; `ended` rejects with it if the agent has no such tool.
   */
  provide(tools: ProvidedTools): Providing;
  /** Asks the run to stop; it learns of that within seconds. Does nothing if it has ended. */
  cancel(): Promise<void>;
  status(): Promise<RunView>;
  /**
   * All that the run, which has ended, was given, asked for and got, without secrets; `recordRun` of longhaul/testing writes it to a file.
   * @throws {ClientError} `InvalidInput` if it has not ended.
   */
  record(): Promise<RunRecord>;
}
