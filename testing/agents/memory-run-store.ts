import type { Attached, Operation, RunStore } from '../../agents/runtime/record/run-store.ts';
import type { AgentEventData } from '../../domain/run/event.ts';

/** An event as it was stored; `sequence` counts from 1. */
export type RecordedEvent = AgentEventData & { sequence: number };

/** What a run left behind. */
export interface RecordedRun {
  events: RecordedEvent[];
  /** What it did once: model calls, tool calls, steps, work of `once`; in the order in which they began to be kept. */
  operations: Operation[];
  checkpoints: Array<{ number: number; state: unknown }>;
}

/** Keeps a run in memory by the rules of the store on Postgres: what goes in comes out as JSON, and the first result of an operation counts. */
export class MemoryRunStore implements RunStore {
  readonly recorded: RecordedRun = { events: [], operations: [], checkpoints: [] };

  /** The number of the last checkpoint; 0 before the first. */
  get checkpointNumber(): number {
    return this.recorded.checkpoints.at(-1)?.number ?? 0;
  }

  /** What was done since the last checkpoint, as the next attempt is given it. */
  operationsSinceCheckpoint(): Operation[] {
    const epoch = `${this.checkpointNumber}`;
    return this.recorded.operations.filter(({ scope }) => scope.split('/')[0] === epoch).map((one) => ({ ...one }));
  }

  async begin(operation: Omit<Operation, 'result' | 'finished'>): Promise<void> {
    if (!this.#find(operation)) this.recorded.operations.push({ ...operation, result: null, finished: false });
  }

  async finish(operation: Omit<Operation, 'finished'>, { events = [] }: Attached = {}): Promise<unknown> {
    const known = this.#find(operation);
    if (known?.finished) return known.result;
    const stored = { ...operation, result: asJson(operation.result), finished: true };
    if (known) Object.assign(known, stored);
    else this.recorded.operations.push(stored);
    await this.append(events);
    return structuredClone(stored.result);
  }

  async checkpoint(number: number, state: unknown): Promise<void> {
    if (number <= this.checkpointNumber) return;
    this.recorded.checkpoints.push({ number, state: asJson(state) });
    await this.append([{ type: 'state.checkpoint', number }]);
  }

  async append(events: AgentEventData[]): Promise<void> {
    for (const event of events) {
      this.recorded.events.push({ ...(asJson(event) as AgentEventData), sequence: this.recorded.events.length + 1 });
    }
  }

  #find({ scope, key }: Pick<Operation, 'scope' | 'key'>): Operation | undefined {
    return this.recorded.operations.find((one) => one.scope === scope && one.key === key);
  }
}

/** A value as it comes back from a database. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
