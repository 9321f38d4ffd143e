import type { IntoSql, Table } from '@lancedb/lancedb';
import type { MemoryChange, NewMemory } from '../memory.ts';
import { dimensionsOf } from '../vectors/vector-column.ts';
import { quote } from './quote.ts';
import { toMemory, toRow } from './rows.ts';
import { columnsOfMemory } from './schema.ts';
import { updateRows, write } from './write.ts';

/** Each failed attempt is one that another process won. */
const maxAttempts = 10;

const columnOf = {
  text: 'text',
  kind: 'kind',
  tags: 'tags',
  importance: 'importance',
  expiresAt: 'expires_at',
  confidence: 'confidence',
  scope: 'scope',
};

/**
 * Changes an existing memory on top of concurrent changes: a superseded memory stays superseded, and a forgotten one stays forgotten. `embedding` is
 * that of a new text, undefined if no model gave one. Returns false if there is no such memory.
 */
export async function changeRow(
  table: Table,
  id: string,
  changes: MemoryChange,
  embedding: { model: string; vector: number[] } | undefined,
): Promise<boolean> {
  const given: Partial<NewMemory> = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  );
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const query = table.query().where(`id = ${quote(id)}`);
    const [found] = await query.select([...columnsOfMemory, 'packed_row']).toArray();
    if (!found) return false;
    const row = toRow({ ...toMemory(found), ...given }, undefined);
    const columns = Object.keys(given).map((field) => columnOf[field as keyof MemoryChange]);
    if (given.scope !== undefined) columns.push('found_by');
    const values = Object.fromEntries([...columns, 'packed_row'].map((column) => [column, row[column] as IntoSql]));
    if (given.tags?.length === 0) values.tags = null; // LanceDB fails on an empty list
    const dimensions = await dimensionsOf(table);
    if (given.text !== undefined) Object.assign(values, { model: null, ...(dimensions && { vector: null }) });
    // The packed row repeats everything that may be changed.
    const isAsRead = `packed_row = ${quote(String(found.packed_row))}`;
    const { rowsUpdated } = await write(() => table.update({ where: `id = ${quote(id)} and ${isAsRead}`, values }));
    if (!rowsUpdated) continue;
    if (given.text !== undefined && embedding?.vector.length === dimensions) {
      // Separately, since LanceDB does not accept a vector here that mixes whole and fractional numbers; if this is not reached, maintenance embeds
      // it.
      const embedded = { id, text: given.text, ...embedding };
      await updateRows(table, [embedded], 'target.model is null and target.text = source.text');
    }
    return true;
  }
  throw new Error(
    `Could not change the memory "${id}": it was changed meanwhile in each of ${maxAttempts} attempts. Try again.`,
  );
}
