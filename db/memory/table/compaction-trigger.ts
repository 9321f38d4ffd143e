/** Writes after which a small table is compacted: each is a file that every query opens, at 0.3 to 0.7 ms. */
const fewestWrites = 20;
const mostWrites = 100;
/** To compact takes about as long as to write all rows anew: a larger table bears more writes before. */
const rowsOfWrite = 2_000;

/** Counts the single writes of this process, and says when so many have come together that compaction is due. */
export interface CompactionTrigger {
  written(): Promise<void>;
  /** The table was compacted. */
  compacted(): void;
}

export function createCompactionTrigger(
  countRows: () => Promise<number>,
  onCompactionDue: () => void,
): CompactionTrigger {
  let writes = 0;

  return {
    async written() {
      writes += 1;
      if (writes < fewestWrites || writes % fewestWrites) return;
      // What was written is written, also where the rows cannot be counted: the next twenty look again.
      const rows = await countRows().catch(() => Number.POSITIVE_INFINITY);
      if (writes < Math.min(rows / rowsOfWrite, mostWrites)) return;
      writes = 0;
      onCompactionDue();
    },
    compacted() {
      writes = 0;
    },
  };
}
