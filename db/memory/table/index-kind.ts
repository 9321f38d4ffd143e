import type { Table } from '@lancedb/lancedb';
import { isQuantized } from './vector-index.ts';

/** Other processes make indexes too; until it is looked at again, a search by the wrong kind is slower or estimates. Milliseconds. */
const trusted = 60_000;

/** Remembers for a while which kind of vector index the table has, since to look costs as much as a small search. */
export function createIndexKind(table: Table): { isQuantized(): Promise<boolean> } {
  let known: { at: number; answer: Promise<boolean> } | undefined;

  return {
    isQuantized() {
      if (!known || Date.now() - known.at > trusted) {
        const answer = isQuantized(table);
        known = { at: Date.now(), answer };
        answer.catch(() => {
          known = undefined; // the next search looks again
        });
      }
      return known.answer;
    },
  };
}
