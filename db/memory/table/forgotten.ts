import type { Table } from '@lancedb/lancedb';
import { createTextIndex } from './indexes.ts';
import { dropVectorIndexes } from './vector-index.ts';
import { write } from './write.ts';

/** Versions of the table, in the metadata of the column that holds the texts: when something was forgotten last, and as of when no file has it. */
const forgottenKey = 'longhaul.forgotten';
const rewrittenKey = 'longhaul.rewritten';

/** A million rows take minutes. */
const longestRewritingMs = 60 * 60_000;

/** Says that rows were deleted whose texts are not to stay in files; the next upkeep sees to it. */
export async function markForgotten(table: Table): Promise<void> {
  await mark(table, forgottenKey, await table.version());
}

/**
 * Writes all rows anew, and the indexes that hold words and vectors, where something was forgotten since the last time. LanceDB only
 * marks deleted rows, and writes a file anew once a tenth of its rows is gone. What goes unused by that is removed with the old versions.
 */
export async function rewriteForgotten(table: Table): Promise<void> {
  const metadata = (await table.schema()).fields.find(({ name }) => name === 'text')?.metadata;
  const versionOf = (key: string) => Number(metadata?.get(key) ?? 0);
  if (versionOf(forgottenKey) <= versionOf(rewrittenKey)) return;
  const begun = await table.version();
  await write(() => table.update({ where: 'true', valuesSql: { recalled_at: 'recalled_at' } }), longestRewritingMs);
  const index = (await table.listIndices()).find(({ columns }) => columns.includes('text'));
  if (index) await write(() => createTextIndex(table, index.indexDetails.language), longestRewritingMs);
  await dropVectorIndexes(table); // the upkeep makes one again
  await mark(table, rewrittenKey, begun);
}

async function mark(table: Table, key: string, version: number): Promise<void> {
  await write(() => table.updateFieldMetadata([{ path: 'text', metadata: { [key]: String(version) } }]));
}
