import { printable } from '../text/printable.ts';

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
 * Describes an error to a person: just the message if the error has a specific name, otherwise everything known about it. What a program or a model
 * wrote may be quoted in it, so it is made safe to print.
 */
export function describeError(error: unknown): string {
  return printable(tellError(error));
}

function tellError(error: unknown): string {
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
