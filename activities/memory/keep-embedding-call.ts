import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/connection/database.ts';
import { insertCall } from '../../db/usage/add-call.ts';
import type { EmbeddingCall } from '../../models/embedding/embedding-call.ts';
import { outcomeOfFailure, usageRow } from '../model/model-calls.ts';

/** Records the usage of an embedding call, under no run; the search that needs the vectors does not wait for it. */
export function createKeepEmbeddingCall(database: Database, onFailure: (error: unknown) => void) {
  return (call: EmbeddingCall): void => {
    const { costUsd, attempt, error } = call;
    const outcome = error ? outcomeOfFailure(error, false) : 'ANSWERED';
    const row = { id: randomUUID(), ...usageRow(call), runId: null, purpose: 'embedding' as const };
    insertCall(database, { ...row, costUsd, attempt, outcome }).catch(onFailure);
  };
}
