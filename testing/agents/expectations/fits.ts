import { types } from 'node:util';
import { shorten } from '../../../domain/storable-text.ts';

/** One of another realm too, such as that of a test runner. */
const { isRegExp } = types;

/**
 * Whether a value has all that a pattern says: objects may have more properties, lists may not have more elements, a regular expression fits a text, a
 * function says whether it fits.
 */
export function fits(value: unknown, pattern: unknown): boolean {
  if (typeof pattern === 'function') return Boolean(pattern(value));
  if (isRegExp(pattern)) return typeof value === 'string' && pattern.test(value);
  if (typeof pattern !== 'object' || pattern === null) return Object.is(value, pattern);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(pattern)) return false;
  if (Array.isArray(pattern) && pattern.length !== (value as unknown[]).length) return false;
  return Object.entries(pattern).every(([name, one]) => fits((value as Record<string, unknown>)[name], one));
}

/** A pattern or a value as a person reads it, on one line. */
export function show(value: unknown): string {
  if (isRegExp(value)) return `${value}`;
  const text = JSON.stringify(value, (_, one) =>
    isRegExp(one) ? `${one}` : typeof one === 'function' ? `function ${one.name}` : one,
  );
  return shorten(`${text}`, 300);
}

/** A list as lines, each indented; `none` if there are none. */
export function lines(values: readonly string[]): string {
  return values.length ? values.map((one) => `\n  ${one}`).join('') : ' none';
}
