import type { Table } from '@lancedb/lancedb';

/** Until it is looked at again, what another process lets expire is sorted out after the search instead of before. Milliseconds. */
const trusted = 60_000;

/** Whether any memory expires: to ask that of each one in the condition of every search takes the most of it where there are many. */
export interface Expiry {
  isUsed(): Promise<boolean>;
  /** Some were written that expire. */
  use(): void;
}

export function createExpiry(table: Table): Expiry {
  let known: { at: number; answer: Promise<boolean> } | undefined;

  return {
    isUsed() {
      if (!known || Date.now() - known.at > trusted) {
        const answer = table.countRows('expires_at is not null').then((count) => count > 0);
        known = { at: Date.now(), answer };
        answer.catch(() => {
          known = undefined; // the next search looks again
        });
      }
      return known.answer;
    },
    use() {
      known = { at: Date.now(), answer: Promise.resolve(true) };
    },
  };
}
