/** Postgres's own error if it refused a value (SQLSTATE class 22, e.g. a number out of the column's range); undefined for other errors. */
export function findDataException(error: unknown): Error | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as { code?: unknown };
    if (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)) return one;
  }
  return undefined;
}
