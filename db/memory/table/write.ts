import { setTimeout } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';

/** LanceDB itself tries ten times; with many processes that is not always enough. */
const attempts = 8;

/** Runs a write again where another process wrote at the same moment; what lost is written on top of what won. */
export async function write<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (attempt === attempts || !isConflict(error)) throw error;
      await setTimeout(Math.random() * 50 * 2 ** attempt);
    }
  }
}

function isConflict(error: unknown): boolean {
  return /conflict|concurrent|too many.*(retries|attempts)|retryable/i.test(String(error));
}

/** Writes rows by their ids, each once; a row that is there is replaced. */
export async function mergeRows(
  table: Table,
  rows: ReadonlyArray<Record<string, unknown> & { id: string }>,
): Promise<void> {
  const once = [...new Map(rows.map((row) => [row.id, row])).values()]; // two rows of one id would both be inserted
  if (!once.length) return;
  await write(() => table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(once));
}
