/** Levels of lists and objects that JSON of others may have: what walks deeper ones, such as `JSON.stringify` and Postgres, may fail on them. */
export const maxNesting = 100;

/** Whether a value has more than so many levels. */
export function isNestedDeeper(value: unknown, levels = maxNesting): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isNestedDeeper(one, levels - 1));
}
