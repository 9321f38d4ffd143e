import { storableText } from '../../domain/storable-text.ts';

/** An escape sequence as `JSON.stringify` writes it; all six characters of a NUL or a lone surrogate, which Postgres refuses. */
const escaped = /\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|.)/gi;
const unstorable = /\\u(?:0000|d[89a-f])/i;

/** JSON as `jsonb` can hold it: escaped NULs and lone surrogates become U+FFFD, in strings and in keys. */
export function storableJson(json: string): string {
  if (!unstorable.test(json)) return storableText(json);
  return storableText(json.replace(escaped, (one) => (one.length === 6 ? '\uFFFD' : one)));
}
