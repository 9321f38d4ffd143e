import type { AgentEventData } from '../../../domain/run/event.ts';

/** Where an operation stands: `scope` changes with each checkpoint and within a step, `key` says what was asked and for which time. */
export interface OperationPlace {
  scope: string;
  key: string;
}

/** What a run did once and must not do again. */
export interface Operation extends OperationPlace {
  /** Such as `tool`, `model` or `step`. */
  kind: string;
  name: string;
  /** Any JSON; meaningless until it is finished. */
  result: unknown;
  finished: boolean;
}

/** What is stored together with an operation. */
export interface Attached {
  events?: AgentEventData[];
  /** Of a store's own kind, such as the usage of a model call. */
  entry?: unknown;
}

/** Keeps what a run did, so that another process goes on where one died. */
export interface RunStore {
  /** Marks an operation as begun, before it takes effect. */
  begin(operation: Omit<Operation, 'result' | 'finished'>): Promise<void>;
  /** Stores an operation's result; returns the one that counts, which is an earlier one if another process was faster. */
  finish(operation: Omit<Operation, 'finished'>, attached?: Attached): Promise<unknown>;
  checkpoint(number: number, state: unknown): Promise<void>;
  append(events: AgentEventData[]): Promise<void>;
}
