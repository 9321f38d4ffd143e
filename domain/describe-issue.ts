import type { z } from 'zod';

/** What of a value does not fit a schema, an indented line for each issue; undefined if it fits. */
export function describeMisfit(schema: z.ZodType, value: unknown): string | undefined {
  const { error } = schema.safeParse(value);
  return error && describeIssues(error, value);
}

/** The same of an error of a schema. */
export function describeIssues({ issues }: z.ZodError, given: unknown): string {
  return issues.map((issue) => `  ${describeIssue(issue, given)}`).join('\n');
}

/** Formats a schema issue as one line: where it is (its path if absent; nothing for the value itself), what was expected, what came. */
export function describeIssue(issue: z.core.$ZodIssue, given: unknown, place?: string): string {
  const path = issue.path.map(String);
  const where = place ?? path.join('.');
  const at = where ? `${where}: ` : '';
  if (issue.code === 'unrecognized_keys') {
    return `${at}expected only known settings, got ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
  }
  const [ofKey] = issue.code === 'invalid_key' ? issue.issues : [];
  if (ofKey) return `${at}${ofKey.message}`;
  const came = path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], given);
  const expected = issue.message.replace(/, received .*$/, '').replace(/^[A-Z][a-z ]*: (?=expected)/, '');
  return `${at}${expected}, got ${show(came)}`;
}

/** By this mark zod 4 tells its schemas, from whichever copy of it they are. */
export function isSchema(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Shows only the property names of an object: a provider's values include API keys. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'bigint') return `${value}n`;
  if (isSchema(value)) return 'a schema';
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return `{ ${Object.keys(value).join(', ')} }`;
  return typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));
}
