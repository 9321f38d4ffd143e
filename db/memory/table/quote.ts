/** A text as a literal in LanceDB's filters. */
export function quote(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A list of texts as a literal, for `in`. */
export function quoteAll(values: readonly string[]): string {
  return `(${values.map(quote).join(', ')})`;
}

/** A moment as a literal. */
export function quoteDate(date: Date): string {
  return `timestamp '${date.toISOString()}'`;
}
