import { quote } from './quote.ts';

/** Separates the fields. The text comes last, so that it may contain any characters. */
const separator = '\u001f';

/** Separates tags, which must not contain it. */
export const tagSeparator = '\u001e';

/** The fields of a memory that never change unless it is rewritten or retagged, in packing order. */
const fields = [
  { column: 'id', type: 'text' },
  { column: 'kind', type: 'text' },
  { column: 'scope', type: 'text' },
  { column: 'project_id', type: 'text' },
  { column: 'session_id', type: 'text' },
  { column: 'lineage_id', type: 'text' },
  { column: 'sequence', type: 'number' },
  { column: 'source_id', type: 'text' },
  { column: 'source_run', type: 'text' },
  { column: 'source_message', type: 'number' },
  { column: 'source_commit', type: 'text' },
  { column: 'importance', type: 'number' },
  { column: 'created_at', type: 'date' },
  { column: 'expires_at', type: 'date' },
  { column: 'tags', type: 'list' },
] as const;

/** Packs these fields of a row into one text: reading a column of many rows takes as long as reading their texts. */
export function pack(row: Readonly<Record<string, unknown>>): string {
  const head = fields.map(({ column, type }) => {
    const value = row[column] ?? '';
    if (type === 'list') return escapeSeparator([...(value as Iterable<string>)].join(tagSeparator));
    return type === 'text' ? escapeSeparator(String(value)) : String(value instanceof Date ? value.getTime() : value);
  });
  return [...head, String(row.text)].join(separator);
}

/** The same as LanceDB SQL on the columns of a row. */
export const packedSql = `concat(${fields
  .map(({ column, type }) => `${sqlOf(column, type)}, ${quote(separator)}, `)
  .join('')}text)`;

type FieldType = (typeof fields)[number]['type'];

/** The inverse of `pack`: the columns of the row. */
export function unpack(packed: string): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  let from = 0;
  for (const { column, type } of fields) {
    const to = packed.indexOf(separator, from);
    const value = packed.slice(from, to);
    if (value !== '') row[column] = fieldOf(value, type);
    from = to + 1;
  }
  row.text = packed.slice(from);
  return row;
}

function fieldOf(value: string, type: FieldType): unknown {
  if (type === 'list') return unescapeSeparator(value).split(tagSeparator);
  return type === 'text' ? unescapeSeparator(value) : Number(value);
}

function sqlOf(column: string, type: FieldType): string {
  if (type === 'text' || type === 'list') {
    const text = type === 'list' ? `array_to_string(${column}, ${quote(tagSeparator)})` : column;
    return `replace(replace(coalesce(${text}, ''), '\\', '\\\\'), ${quote(separator)}, '\\u')`;
  }
  const number = type === 'date' ? `cast(${column} as bigint)` : column;
  return `coalesce(cast(${number} as varchar), '')`;
}

function escapeSeparator(value: string): string {
  return value.includes('\\') || value.includes(separator)
    ? value.replaceAll('\\', '\\\\').replaceAll(separator, '\\u')
    : value;
}

function unescapeSeparator(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replace(/\\(.)/g, (_, mark: string) => (mark === 'u' ? separator : mark));
}
