import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/connection/database.ts';
import { insertCall } from '../../db/usage/add-call.ts';
import type { EmbeddingCall } from '../../models/embedding/embedding-call.ts';
import { ledgerRow, outcomeOfFailure } from '../model/ledger-row.ts';

/** Records an embedding call in the ledger, under no run; the search that needs the vectors does not wait for it. */
export function createKeepEmbeddingCall(database: Database, onTrouble: (trouble: unknown) => void) {
  return (call: EmbeddingCall): void => {
    const { costUsd, attempt, error } = call;
    const outcome = error ? outcomeOfFailure(error, false) : 'ANSWERED';
    const row = { id: randomUUID(), ...ledgerRow(call), runId: null, purpose: 'embedding' as const };
    insertCall(database, { ...row, costUsd, attempt, outcome }).catch(onTrouble);
  };
}
