import type { Table as ArrowTable } from 'apache-arrow';
import { factTypes } from '../../../domain/stores/knowledge.ts';
import type { NewMemory } from '../memory.ts';
import { memoryOrigins } from '../origin.ts';
import type { StoredMemory } from '../visibility/admitted.ts';
import { foundBy } from '../visibility/readers.ts';

/** A row of the table; missing columns are null. */
export type MemoryRow = Record<string, unknown> & { id: string };

/** Identifies the position of a message in its run, for finding neighbours. */
export function placeOf(run: string, message: number): string {
  return `${run}#${message}`;
}

/** Converts a memory to a row; `vector` is null if no model gave one. A superseded memory stays superseded. */
export function toRow(
  memory: NewMemory | StoredMemory,
  embedding: { model: string; vector: number[] } | undefined,
): MemoryRow {
  const { source = {} } = memory;
  const { run, message } = source;
  const known = memory as Partial<StoredMemory>;
  const row = {
    id: memory.id,
    text: memory.text,
    kind: memory.kind,
    scope: memory.scope,
    project_id: memory.projectId ?? null,
    session_id: memory.sessionId ?? null,
    lineage_id: memory.lineageId ?? null,
    sequence: memory.sequence ?? null,
    tags: memory.tags ?? [],
    source_id: source.id ?? null,
    source_run: run ?? null,
    source_commit: source.commit ?? null,
    origin: memory.origin ?? 'agent',
    place: run !== undefined && message !== undefined ? placeOf(run, message) : null,
    source_message: message ?? null,
    importance: Math.min(Math.max(memory.importance ?? 0.5, 0), 1),
    fact_type: memory.factType ?? null,
    confidence: memory.confidence ?? null,
    person: memory.person ?? null,
    created_at: memory.createdAt ?? new Date(),
    recalled_at: known.recalledAt ?? null,
    expires_at: memory.expiresAt ?? null,
    superseded_by: known.supersededBy ?? null,
    superseded_lineage: known.supersededLineage ?? null,
    superseded_sequence: known.supersededSequence ?? null,
    model: embedding?.model ?? null,
    vector: embedding?.vector ?? null,
  };
  return { ...row, found_by: foundBy(memory, { superseded: row.superseded_by !== null }), packed_row: pack(row) };
}

/** Converts a row to a memory. */
export function toMemory(row: Record<string, unknown>): StoredMemory {
  const text = (column: string) => (row[column] == null ? undefined : String(row[column]));
  const number = (column: string) => (row[column] == null ? undefined : Number(row[column]));
  const date = (column: string) => (row[column] == null ? undefined : new Date(Number(row[column])));
  return {
    id: String(row.id),
    text: String(row.text),
    kind: String(row.kind),
    scope: row.scope as StoredMemory['scope'],
    ...defined({
      projectId: text('project_id'),
      sessionId: text('session_id'),
      lineageId: text('lineage_id'),
      sequence: number('sequence'),
    }),
    tags: row.tags == null ? [] : [...(row.tags as Iterable<string>)],
    source: defined({
      id: text('source_id'),
      run: text('source_run'),
      message: number('source_message'),
      commit: text('source_commit'),
    }),
    origin: memoryOrigins.find((origin) => origin === row.origin) ?? 'agent',
    importance: Math.round(Number(row.importance) * 1e6) / 1e6, // undoes the rounding to a 32-bit float
    createdAt: new Date(Number(row.created_at)),
    ...defined({
      factType: factTypes.find((type) => type === row.fact_type),
      confidence: number('confidence'),
      person: text('person'),
      recalledAt: date('recalled_at'),
      expiresAt: date('expires_at'),
      supersededBy: text('superseded_by'),
      supersededLineage: text('superseded_lineage'),
      supersededSequence: number('superseded_sequence'),
      model: text('model'),
    }),
  };
}

function defined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value;
}

export interface ReadRow {
  memory: StoredMemory;
  /** Value of the column that the query added, such as `_distance`. */
  value: number;
}

/** The memories of rows that were read with `packed_row` and some other columns. Reads by column, which costs a third of Arrow's row objects. */
export function readRows(table: ArrowTable, valueColumn?: string): ReadRow[] {
  const columns = table.schema.fields.map(({ name }) => [name, table.getChild(name)] as const);
  const packed = table.getChild('packed_row');
  const values = valueColumn === undefined ? undefined : table.getChild(valueColumn);
  return Array.from({ length: table.numRows }, (_, index) => {
    const row = unpack(String(packed?.get(index)));
    for (const [name, column] of columns) if (name !== 'packed_row') row[name] = column?.get(index);
    return { memory: toMemory(row), value: Number(values?.get(index)) };
  });
}

/** The columns of a memory that never change unless it is written again, changed or retagged. */
const packedColumns = [
  'id',
  'text',
  'kind',
  'scope',
  'project_id',
  'session_id',
  'lineage_id',
  'sequence',
  'source_id',
  'source_run',
  'source_message',
  'source_commit',
  'origin',
  'importance',
  'fact_type',
  'confidence',
  'person',
  'created_at',
  'expires_at',
  'tags',
] as const;

/** Packs these columns of a row into one text of JSON: in a search, reading a column of many rows takes as long as reading their texts. */
export function pack(row: Readonly<Record<string, unknown>>): string {
  const packed = packedColumns.flatMap((column) => {
    const value = row[column];
    return value == null ? [] : [[column, value instanceof Date ? value.getTime() : value]];
  });
  return JSON.stringify(Object.fromEntries(packed));
}

/** The inverse of `pack`: the columns of the row. */
export function unpack(packed: string): Record<string, unknown> {
  return JSON.parse(packed);
}
