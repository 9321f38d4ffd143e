import { printable } from './text/printable.ts';

/** Generic error names: such errors are defects, and are reported with a stack trace. */
const unnamed = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'AggregateError',
  'AssertionError',
]);

/**
 * Describes an error to a person: just the message if the error has a specific name, otherwise everything known about it. Safe to print to a
 * terminal, since a message may quote what a model or program said.
 */
export function describeError(error: unknown): string {
  return printable(describe(error));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!unnamed.has(error.name)) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return error.message; // a system error, whose message is enough
  const causes: string[] = [];
  for (let { cause } = error; cause instanceof Error; cause = cause.cause) causes.push(`  because of ${cause.message}`);
  return [
    error.stack ?? error.message,
    ...causes,
    'This is a defect of Longhaul or of something it stands on. Nothing more was done.',
  ].join('\n');
}
