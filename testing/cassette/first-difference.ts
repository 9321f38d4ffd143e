import { isDeepStrictEqual } from 'node:util';

/** The first difference between two JSON values, e.g. `body.messages[1].content: expected "a", got "b"`. */
export function firstDifference(expected: unknown, got: unknown, path = ''): string {
  if (isRecord(expected) && isRecord(got)) {
    for (const key of new Set([...Object.keys(got), ...Object.keys(expected)])) {
      if (isDeepStrictEqual(expected[key], got[key])) continue;
      const step = Array.isArray(expected) ? `[${key}]` : path ? `.${key}` : key;
      return firstDifference(expected[key], got[key], path + step);
    }
  }
  return `${path}: expected ${show(expected)}, got ${show(got)}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 120).toWellFormed()}...` : text;
}
