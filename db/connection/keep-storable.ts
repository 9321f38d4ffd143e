import { storableText } from '../../domain/storable-text.ts';

/** Postgres' OIDs of the types whose values it may refuse because of a character in them. */
const types = { text: 25, varchar: 1043, json: 114, jsonb: 3802 } as const;

/** Converts parameters of a type, given by its OID, to what is sent. */
type Serializers = Record<number, (value: never) => unknown>;

/**
 * Makes every text and JSON parameter storable before it is sent to Postgres, whoever wrote it: models, files and commands may produce NUL bytes and
 * lone surrogates, and a refused statement would be retried for hours. Call after drizzle has set its JSON serializers.
 */
export function keepStorable(serializers: Serializers): void {
  for (const type of [types.text, types.varchar]) serializers[type] = (value: unknown) => storableText(`${value}`);
  for (const type of [types.json, types.jsonb]) serializers[type] = (value: unknown) => storableJson(`${value}`);
}

/** An escape sequence as `JSON.stringify` writes it; all six characters of a NUL or a lone surrogate, which Postgres refuses. */
const escaped = /\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|.)/gi;
const unstorable = /\\u(?:0000|d[89a-f])/i;

/** JSON as `jsonb` can hold it: escaped NULs and lone surrogates become U+FFFD, in strings and in keys. */
export function storableJson(json: string): string {
  if (!unstorable.test(json)) return storableText(json);
  return storableText(json.replace(escaped, (one) => (one.length === 6 ? '\uFFFD' : one)));
}
