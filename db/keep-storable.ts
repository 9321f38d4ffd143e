import { storableJson } from './storable-json.ts';
import { storableText } from './storable-text.ts';

/** Postgres' numbers of the types whose values it may refuse for a character in them. */
const types = { text: 25, varchar: 1043, json: 114, jsonb: 3802 } as const;

/** What turns a parameter of a type, by Postgres' number of it, into what is sent. */
type Serializers = Record<number, (value: never) => unknown>;

/**
 * Has every text and every JSON that is sent to Postgres as it can hold it, whoever wrote it: models, files and commands may bring NUL
 * bytes and halves of surrogate pairs, and a statement that is refused for one would be tried again for hours. To be called after
 * drizzle has set what it sends JSON by.
 */
export function keepStorable(serializers: Serializers): void {
  for (const type of [types.text, types.varchar]) serializers[type] = (value: unknown) => storableText(`${value}`);
  for (const type of [types.json, types.jsonb]) serializers[type] = (value: unknown) => storableJson(`${value}`);
}
