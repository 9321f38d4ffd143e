import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { insertCall } from '../db/ledger/add-call.ts';
import type { EmbeddingCall } from '../db/memory/embedding/embedding-call.ts';
import { ledgerRow, outcomeOfFailure } from './ledger-row.ts';

/** Puts a call for embeddings in the ledger, of no run: a search that waits for vectors does not wait for this. */
export function createKeepEmbeddingCall(database: Database, onTrouble: (trouble: unknown) => void) {
  return (call: EmbeddingCall): void => {
    const { costUsd, attempt, error } = call;
    const outcome = error ? outcomeOfFailure(error, false) : 'ANSWERED';
    const row = { id: randomUUID(), ...ledgerRow(call), runId: null, purpose: 'embedding' as const };
    insertCall(database, { ...row, costUsd, attempt, outcome }).catch(onTrouble);
  };
}
