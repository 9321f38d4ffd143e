import { scrub } from './secrets/scrub.ts';

/** Characters of a text that a preview is made of: many times what it shows, so that no secret is cut in half before it is seen. */
const previewed = 16_000;

/** Text that Postgres can store: NUL bytes and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The start of a text, at most `most` characters; a surrogate pair is never cut in half. */
export function cutText(text: string, most: number): string {
  const isCutInHalf = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(most));
  return text.slice(0, isCutInHalf ? most - 1 : most);
}

/** The text, or its start with an ellipsis if it has more than `limit` characters. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${cutText(text, limit - 1)}…`;
}

/** The start of a text on one line and without secrets, for events and summaries; `limit` in characters. */
export function preview(text: string, limit = 200): string {
  const line = storableText(scrub(cutText(text, previewed)))
    .replace(/\s+/g, ' ')
    .trim();
  return shorten(line, limit);
}
