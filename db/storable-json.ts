import { storableText } from './storable-text.ts';

/** An escaped character as `JSON.stringify` writes it; of a NUL and of half of a pair, which Postgres refuses, all six letters. */
const escaped = /\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|.)/gi;
const unstorable = /\\u(?:0000|d[89a-f])/i;

/** JSON as `jsonb` can hold it: escaped NULs and halves of surrogate pairs become U+FFFD, in texts and in names. */
export function storableJson(json: string): string {
  if (!unstorable.test(json)) return storableText(json);
  return storableText(json.replace(escaped, (one) => (one.length === 6 ? '\uFFFD' : one)));
}
