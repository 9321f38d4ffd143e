/** Postgres' code for a row whose key another row has. */
const uniqueViolation = '23505';

/** True where what was to be added was not, since a row with its key is there. */
export function isAlreadyThere(error: unknown): boolean {
  for (let one = error; one instanceof Object; one = (one as { cause?: unknown }).cause) {
    if ((one as { code?: unknown }).code === uniqueViolation) return true;
  }
  return false;
}
