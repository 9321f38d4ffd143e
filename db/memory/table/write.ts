import { setTimeout } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';

/** LanceDB itself tries ten times, which is not always enough with many processes. */
const defaultAttempts = 8;

/** Milliseconds. With many writers, a commit may hang forever in LanceDB 0.37; the next attempt goes through. */
const defaultPatience = 30_000;

/**
 * Repeats a write that conflicts with another process's, or that does not end; a repeated write applies on top of the other. The write must be safe
 * to repeat.
 */
export async function write<Result>(
  act: () => Promise<Result>,
  patience = defaultPatience,
  attempts = defaultAttempts,
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

/** Makes a one-time change to the table; a failure is ignored if another process has made the change meanwhile. */
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

/** Writes rows by id, each id once; existing rows are replaced. */
export async function mergeRows(
  table: Table,
  rows: ReadonlyArray<Record<string, unknown> & { id: string }>,
): Promise<void> {
  const once = [...new Map(rows.map((row) => [row.id, row])).values()]; // two rows with the same id would both be inserted
  if (!once.length) return;
  await write(() => table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(once));
}

/**
 * Updates some columns of the existing rows that meet the condition. With the index on the ids, LanceDB 0.37 panics if there is a condition and,
 * without one, drops all rows of a fragment from every index for a single updated row.
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
