import type { NewMemory } from '../memory.ts';
import type { StoredMemory } from './admitted.ts';
import { pack } from './packed.ts';
import { foundBy } from './readers.ts';

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
    place: run !== undefined && message !== undefined ? placeOf(run, message) : null,
    source_message: message ?? null,
    importance: Math.min(Math.max(memory.importance ?? 0.5, 0), 1),
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
    importance: Math.round(Number(row.importance) * 1e6) / 1e6, // undoes the rounding to a 32-bit float
    createdAt: new Date(Number(row.created_at)),
    ...defined({
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
