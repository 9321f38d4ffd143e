/** A text as one word of a bash script. */
export function quoteForBash(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
