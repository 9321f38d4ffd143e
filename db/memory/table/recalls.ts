import type { Table } from '@lancedb/lancedb';
import { quoteAll } from './quote.ts';
import { write } from './write.ts';

/** What searches gave, until it is written down that they did: each of them for itself would be a write. */
export interface Recalls {
  add(id: string): void;
  /** `patience` in milliseconds and `attempts` as `write` takes them. */
  write(patience?: number, attempts?: number): Promise<void>;
}

export function createRecalls(table: Table): Recalls {
  const recalled = new Set<string>();

  return {
    add: (id) => void recalled.add(id),
    async write(patience, attempts) {
      if (!recalled.size) return;
      const ids = [...recalled];
      recalled.clear();
      try {
        const values = { recalled_at: new Date() };
        await write(() => table.update({ where: `id in ${quoteAll(ids)}`, values }), patience, attempts);
      } catch (error) {
        for (const id of ids) recalled.add(id);
        throw error;
      }
    },
  };
}
