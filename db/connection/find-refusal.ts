/**
 * Postgres's own error if it would refuse the same again: a value (SQLSTATE class 22, e.g. a number out of the column's range) or a row that breaks a
 * constraint (class 23); undefined for other errors. A duplicate key (23505) is no such refusal: another attempt finds the row that was first.
 */
export function findRefusal(error: unknown): Error | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as { code?: unknown };
    if (typeof code === 'string' && /^(22|23(?!505))[0-9A-Z]{3}$/.test(code)) return one;
  }
  return undefined;
}
