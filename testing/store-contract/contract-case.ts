import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { StoreError, type StoreErrorCode } from '../../domain/stores/store-error.ts';

/** A case uses ids of its own, so that cases may run at once, and on a store that already holds something. */
export interface StoreContractCase<Store> {
  title: string;
  /** Throws an `AssertionError` where the implementation differs. */
  run(store: Store): Promise<void>;
}

/** An id that nothing else has. */
export function unique(what: string): string {
  return `${what}-${randomUUID().slice(0, 8)}`;
}

/** Asserts that a request is refused with this code. */
export async function refuses(work: () => Promise<unknown>, code: StoreErrorCode): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof StoreError, `Expected a StoreError (${code}), got ${String(error)}`);
    assert.equal(error.code, code, error.message);
    return true;
  });
}

/** Everything that an export yields. */
export async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** Asserts that two values are equal all through; a value of another realm, as a test runner's `structuredClone` gives it, equals one of this. */
export function same(actual: unknown, expected: unknown): void {
  assert.deepEqual(ofThisRealm(actual), ofThisRealm(expected));
}

function ofThisRealm(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value, ofThisRealm);
  if (isDate(value)) return new Date(Number(value));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, ofThisRealm(one)]));
}

export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}
