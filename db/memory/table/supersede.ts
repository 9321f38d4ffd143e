import type { Table } from '@lancedb/lancedb';
import type { NewMemory } from '../memory.ts';
import { placeInHistory, type StoredMemory } from '../visibility/admitted.ts';
import { foundBy } from '../visibility/readers.ts';
import { quoteAll } from './quote.ts';
import { readByIds } from './read-memories.ts';
import { write } from './write.ts';

/** Marks those memories that meet the condition as superseded by another one or, without one, as current again. */
export async function setSuperseded(
  table: Table,
  ids: string[],
  by: NewMemory | undefined,
  condition = 'true',
): Promise<void> {
  const memories = await readByIds(table, ids);
  const place = by && placeInHistory(by);
  const values = {
    superseded_by: by?.id ?? null,
    // Null if it has no place in a lineage: the memories that it replaces may have the place of an earlier replacement.
    superseded_lineage: place?.lineageId ?? null,
    superseded_sequence: place?.sequence ?? null,
  };
  const keyOf = (memory: StoredMemory) => foundBy(memory, { superseded: by !== undefined });
  for (const key of new Set(memories.map(keyOf))) {
    const ofKey = memories.filter((memory) => keyOf(memory) === key).map(({ id }) => id);
    const where = `id in ${quoteAll(ofKey)} and ${condition}`;
    await write(() => table.update({ where, values: { ...values, found_by: key } }));
  }
}
