import type { Table } from '@lancedb/lancedb';
import type { Memory, MemoryCursor, MemoryPage } from '../memory.ts';
import type { StoredMemory } from '../visibility/admitted.ts';
import { quote, quoteAll, quoteDate } from './quote.ts';
import { toMemory } from './rows.ts';
import { columnsOfMemory } from './schema.ts';

/** Those of the ids that exist, with the lineage positions of what superseded them. */
export async function readByIds(table: Table, ids: string[]): Promise<StoredMemory[]> {
  if (!ids.length) return [];
  const rows = await table
    .query()
    .where(`id in ${quoteAll(ids)}`)
    .select([...columnsOfMemory, 'superseded_lineage', 'superseded_sequence'])
    .toArray();
  return rows.map(toMemory);
}

/** Those that satisfy a condition, newest first. */
export async function readWhere(
  table: Table,
  condition: string,
  { limit, offset, after }: MemoryPage = {},
): Promise<Memory[]> {
  const where = after ? `(${condition}) and ${isBeyond(after, 'older')}` : condition;
  let query = table.query().where(where).select(columnsOfMemory);
  if (limit !== undefined) query = query.limit(limit);
  if (offset) query = query.offset(offset);
  const rows = await query
    .orderBy([
      { columnName: 'created_at', ascending: false },
      { columnName: 'id', ascending: true },
    ])
    .toArray();
  return rows.map(toMemory);
}

/** The condition for the memories after a cursor in the order of age, in either direction; those of the same moment are ordered by id. */
export function isBeyond({ createdAt, id }: MemoryCursor, side: 'older' | 'newer'): string {
  const moment = quoteDate(new Date(createdAt));
  return `(created_at ${side === 'older' ? '<' : '>'} ${moment} or (created_at = ${moment} and id > ${quote(id)}))`;
}
