import type { Table } from '@lancedb/lancedb';
import type { FixedSizeList } from 'apache-arrow';

/** How many dimensions the table's vectors have. */
export async function dimensionsOf(table: Table): Promise<number> {
  const field = (await table.schema()).fields.find(({ name }) => name === 'vector');
  return (field?.type as FixedSizeList | undefined)?.listSize ?? 0;
}
