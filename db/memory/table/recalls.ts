import type { Table } from '@lancedb/lancedb';
import { quoteAll } from './quote.ts';
import { write } from './write.ts';

/** Collects the memories that searches returned, to record that in one write rather than one for each search. */
export interface Recalls {
  add(id: string): void;
  /** `patience` (milliseconds) and `attempts` are passed on to `write`. */
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
