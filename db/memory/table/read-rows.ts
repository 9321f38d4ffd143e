import type { Table as ArrowTable } from 'apache-arrow';
import type { StoredMemory } from './admitted.ts';
import { unpack } from './packed.ts';
import { toMemory } from './rows.ts';

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
