/** Names of errors that nobody gave a cause to: defects, told with where they happened. */
const unnamed = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'AggregateError',
  'AssertionError',
]);

/** An error as a person reads it: the message alone where it has a name of its own, else everything that is known. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!unnamed.has(error.name)) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return error.message; // the operating system's own words
  const causes: string[] = [];
  for (let { cause } = error; cause instanceof Error; cause = cause.cause) causes.push(`  because of ${cause.message}`);
  return [
    error.stack ?? error.message,
    ...causes,
    'This is a defect of Longhaul or of something it stands on. Nothing more was done.',
  ].join('\n');
}
