import type { RunStore } from '../../agents/runtime/record/run-store.ts';
import { beginOperation, finishOperation, keepCheckpoint } from '../../db/agent-runs/operations.ts';
import type { Database } from '../../db/connection/database.ts';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';
import { addEvents } from '../../db/events/add-to-owner.ts';
import type { NewCall } from '../../db/usage/add-call.ts';

export interface RunStoreParts {
  database: Database;
  runId: string;
  signal: AbortSignal;
  /** Called after events may have been stored. */
  onStored(): void;
}

/** Keeps in Postgres what a run did; waits while Postgres is unavailable. */
export function createRunStore({ database, runId, signal, onStored }: RunStoreParts): RunStore {
  const owner = { kind: 'run' as const, id: runId };
  async function told<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = await retryUntilAvailable(signal, work);
    onStored();
    return result;
  }
  return {
    begin: (operation) => retryUntilAvailable(signal, () => beginOperation(database, runId, operation)),
    finish: (operation, { events, entry } = {}) =>
      told(() =>
        finishOperation(database, runId, operation, { events, ...(entry !== undefined && { call: entry as NewCall }) }),
      ),
    checkpoint: (number, state) => told(() => keepCheckpoint(database, runId, { number, state })),
    append: (events) => told(() => addEvents(database, owner, events)),
  };
}
