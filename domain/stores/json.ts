import { StoreError } from './store-error.ts';

/** A value that JSON holds without loss. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * The JSON text of a value.
 * @throws {StoreError} `NotJson` naming the first part that JSON would drop or change, such as a date, a function or a cycle.
 */
export function toJson(value: unknown): string {
  expectJson(value, '', []);
  return JSON.stringify(value);
}

/** A copy that shares nothing with the value. */
export function copyJson<Value extends Json>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

function expectJson(value: unknown, path: string, above: unknown[]): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object' || !isPlain(value)) throw notJson(describe(value), path);
  if (above.includes(value)) throw notJson('a part that contains itself', path);
  for (const [key, one] of Object.entries(value)) expectJson(one, path ? `${path}.${key}` : key, [...above, value]);
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) return `a ${value.constructor.name}`;
  return typeof value === 'number' ? String(value) : `a value of type ${typeof value}`;
}

function notJson(what: string, path: string): StoreError {
  const place = path ? ` at "${path}"` : '';
  return new StoreError('NotJson', `Expected a value that JSON can hold, got ${what}${place}. Convert it first.`);
}
