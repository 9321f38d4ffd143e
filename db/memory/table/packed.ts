import { quote } from './quote.ts';

/** Between the fields. The text is the last of them, so that it may have any characters. */
const separator = '\u001f';

/** What of a memory never changes unless it is written anew, in the order in which it is packed. */
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
] as const;

/** These fields of a row as one text: to read a column of many rows takes as long as to read their texts. */
export function pack(row: Readonly<Record<string, unknown>>): string {
  const head = fields.map(({ column, type }) => {
    const value = row[column] ?? '';
    return type === 'text' ? escapeSeparator(String(value)) : String(value instanceof Date ? value.getTime() : value);
  });
  return [...head, String(row.text)].join(separator);
}

/** The same in LanceDB's SQL, for rows that have none yet. */
export const packedSql = `concat(${fields
  .map(({ column, type }) => `${sqlOf(column, type)}, ${quote(separator)}, `)
  .join('')}text)`;

/** The row's columns. */
export function unpack(packed: string): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  let from = 0;
  for (const { column, type } of fields) {
    const to = packed.indexOf(separator, from);
    const value = packed.slice(from, to);
    if (value !== '') row[column] = type === 'text' ? unescapeSeparator(value) : Number(value);
    from = to + 1;
  }
  row.text = packed.slice(from);
  return row;
}

function sqlOf(column: string, type: 'text' | 'number' | 'date'): string {
  if (type === 'text') {
    return `replace(replace(coalesce(${column}, ''), '\\', '\\\\'), ${quote(separator)}, '\\u')`;
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
