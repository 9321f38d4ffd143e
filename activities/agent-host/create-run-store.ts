import type { RunStore } from '../../agents/runtime/run-store.ts';
import { beginOperation, finishOperation, keepCheckpoint } from '../../db/agent-runs/operations.ts';
import type { Database } from '../../db/connection/database.ts';
import { retryUntilAvailable } from '../../db/connection/retry-until-available.ts';
import { addEvents } from '../../db/events/add-to-owner.ts';
import type { NewCall } from '../../db/usage/add-call.ts';

/** Keeps in Postgres what a run did; waits while Postgres is unavailable. */
export function createRunStore(database: Database, runId: string, signal: AbortSignal): RunStore {
  const owner = { kind: 'run' as const, id: runId };
  return {
    begin: (operation) => retryUntilAvailable(signal, () => beginOperation(database, runId, operation)),
    finish: (operation, { events, entry } = {}) =>
      retryUntilAvailable(signal, () =>
        finishOperation(database, runId, operation, { events, ...(entry !== undefined && { call: entry as NewCall }) }),
      ),
    checkpoint: (number, state) =>
      retryUntilAvailable(signal, () => keepCheckpoint(database, runId, { number, state })),
    append: (events) => retryUntilAvailable(signal, () => addEvents(database, owner, events)),
  };
}
