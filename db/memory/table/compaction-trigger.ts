/** Writes after which a small table is compacted: each adds a file that every query opens, at 0.3 to 0.7 ms. */
const minWrites = 20;
const maxWrites = 100;
/** Rows per write that a table tolerates: compaction takes about as long as rewriting all rows, so a larger table bears more writes before it. */
const rowsOfWrite = 2_000;

/** Counts the single writes of this process, and reports when enough have accumulated for compaction to be due. */
export interface CompactionTrigger {
  written(): Promise<void>;
  /** To be called once the table is compacted. */
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
      if (writes % minWrites !== 0) return;
      // The write has succeeded even if the rows cannot be counted: the check is repeated after the next twenty.
      const rows = await countRows().catch(() => Number.POSITIVE_INFINITY);
      if (writes < Math.min(rows / rowsOfWrite, maxWrites)) return;
      writes = 0;
      onCompactionDue();
    },
    compacted() {
      writes = 0;
    },
  };
}
