import type { Concerns, NewMetric, Recorded } from '../audit.ts';
import type { Removed } from '../purge.ts';
import { StoreError } from '../store-error.ts';

/** The rows that a call without a limit returns. */
export const defaultLimit = 100;

/** What every new row has, its id made if none is given. */
export function recorded(given: Concerns & { id?: string | undefined; createdAt?: Date | undefined }): Recorded {
  const { id = crypto.randomUUID(), createdAt = new Date() } = given;
  const { person = null, projectId = null, conversationId = null, runId = null } = given;
  return { id, person, projectId, conversationId, runId, createdAt };
}

/** @throws {StoreError} `InvalidInput` */
export function expectMetric({ name, value }: NewMetric): void {
  if (name && Number.isFinite(value)) return;
  throw new StoreError('InvalidInput', `Expected a metric with a name and a finite value, got "${name}": ${value}.`);
}

/** One line per metric instead of one per value. */
export function byName(values: Removed[]): Removed[] {
  const sums = new Map<string, Removed & { rows: number }>();
  for (const value of values) {
    const sum = sums.get(value.what) ?? { ...value, id: value.what, rows: 0 };
    sums.set(value.what, { ...sum, rows: sum.rows + 1 });
  }
  return [...sums.values()];
}

export function unknownError(id: string): StoreError {
  return new StoreError('UnknownError', `No error has the id "${id}". \`errors()\` lists them.`);
}
