import { setTimeout } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';

/** LanceDB itself tries ten times; with many processes that is not always enough. */
const usualAttempts = 8;

/** Among many writers a commit may wait for ever in LanceDB 0.37; the next try goes through. Milliseconds. */
const usualPatience = 30_000;

/**
 * Runs a write again where another process wrote at the same moment, or where it does not end; what lost is written on top of what won.
 * The write has to be one that may be done twice.
 */
export async function write<Result>(
  act: () => Promise<Result>,
  patience = usualPatience,
  attempts = usualAttempts,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await within(patience * attempt, act());
    } catch (error) {
      if (attempt === attempts || !isPassing(error)) throw error;
      await setTimeout(Math.random() * 50 * 2 ** attempt);
    }
  }
}

/** Changes the table as it has to be once; where that fails because another process has done it meanwhile, it is done. */
export async function unlessAnotherDid(act: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(await isDone())) throw error;
  }
}

async function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  const timer = new AbortController();
  const late = setTimeout(milliseconds, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new Error(`The write timed out after ${milliseconds / 1_000} s.`);
  });
  late.catch(() => {}); // aborted once the write has ended
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
}

function isPassing(error: unknown): boolean {
  return /conflict|concurrent|too many.*(retries|attempts)|retryable|timed out/i.test(String(error));
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

/**
 * Changes some columns of the rows that are there and fulfil the condition. By the index on the ids LanceDB 0.37 panics at a condition,
 * and without one takes all rows of a fragment out of every index for one that is changed.
 */
export async function updateRows(
  table: Table,
  rows: ReadonlyArray<Record<string, unknown> & { id: string }>,
  where?: string,
): Promise<void> {
  if (!rows.length) return;
  await write(() =>
    table
      .mergeInsert('id')
      .whenMatchedUpdateAll(where === undefined ? undefined : { where })
      .useIndex(false)
      .execute([...rows]),
  );
}
