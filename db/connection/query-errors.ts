import { DrizzleQueryError } from 'drizzle-orm';

/**
 * Postgres's own error if it would refuse the same again: a value (SQLSTATE class 22, e.g. a number out of the column's range) or a row that breaks a
 * constraint (class 23); undefined for other errors. A duplicate key (23505) is no refusal: another attempt finds the existing row.
 */
export function findRefusal(error: unknown): Error | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as { code?: unknown };
    if (typeof code === 'string' && /^(22|23(?!505))[0-9A-Z]{3}$/.test(code)) return one;
  }
  return undefined;
}

/** Postgres' error code for a duplicate key. */
const uniqueViolation = '23505';

/** Whether an insert failed because a row with its key exists. */
export function isAlreadyThere(error: unknown): boolean {
  for (let one = error; one instanceof Object; one = (one as { cause?: unknown }).cause) {
    if ((one as { code?: unknown }).code === uniqueViolation) return true;
  }
  return false;
}

/**
 * True for the codes (of the system, the driver and SQL) of a connection error; false for those of an error in the request itself.
 * 08: connection; 57P0: shutting down, crashed, starting up; 53300: too many connections.
 */
export function isServerAwayCode(code: string): boolean {
  return /^(ECONN|ENOTFOUND|EAI_|EHOST|ENETUN|EPIPE|ETIMEDOUT|CONNECT|08|57P0|53300)/.test(code);
}

/**
 * The driver's error if Postgres could not be reached (by the code of the system, the driver or SQL); undefined for an error in the request
 * itself, or of another server.
 */
export function findOutage(error: unknown): (Error & { code: string }) | undefined {
  const own = error instanceof DrizzleQueryError ? error.cause : error;
  const { code } = (own ?? {}) as { code?: unknown };
  return typeof code === 'string' && isServerAwayCode(code) ? (own as Error & { code: string }) : undefined;
}

/** Whether a query failed because its connection was closed, or is about to be. */
export function isConnectionLost(error: unknown): boolean {
  return /^(CONNECTION_CLOSED|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(findOutage(error)?.code ?? '');
}
