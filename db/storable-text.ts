/** Text as Postgres can hold it: NUL bytes and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The start of a text on one line, for events and summaries; `limit` in characters. */
export function preview(text: string, limit = 200): string {
  const line = storableText(text).replace(/\s+/g, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`;
}
