/** Postgres' error code for a duplicate key. */
const uniqueViolation = '23505';

/** Whether an insert failed because a row with its key exists. */
export function isAlreadyThere(error: unknown): boolean {
  for (let one = error; one instanceof Object; one = (one as { cause?: unknown }).cause) {
    if ((one as { code?: unknown }).code === uniqueViolation) return true;
  }
  return false;
}
