import type { Table } from '@lancedb/lancedb';
import { dropVectorIndexes } from '../vectors/vector-index.ts';
import { createTextIndex } from './indexes.ts';
import { write } from './write.ts';

/**
 * Metadata keys of the text column. Their values are versions of the table: the one in which something was last forgotten, and the one up to which
 * all forgotten texts were rewritten away.
 */
const forgottenKey = 'longhaul.forgotten';
const rewrittenKey = 'longhaul.rewritten';

/** Timeout in milliseconds; rewriting a million rows takes minutes. */
const maxRewritingMs = 60 * 60_000;

/** Records that rows were deleted whose texts must not stay in files; the next maintenance removes them. */
export async function markForgotten(table: Table): Promise<void> {
  await mark(table, forgottenKey, await table.version());
}

/**
 * Rewrites all rows, and the indexes that hold words and vectors, if something was forgotten since the last time. LanceDB only marks rows as deleted,
 * and rewrites a file only once a tenth of its rows is gone. The files that become unused are removed with the old versions.
 */
export async function rewriteForgotten(table: Table): Promise<void> {
  const metadata = (await table.schema()).fields.find(({ name }) => name === 'text')?.metadata;
  const versionOf = (key: string) => Number(metadata?.get(key) ?? 0);
  if (versionOf(forgottenKey) <= versionOf(rewrittenKey)) return;
  const begun = await table.version();
  await write(() => table.update({ where: 'true', valuesSql: { recalled_at: 'recalled_at' } }), maxRewritingMs);
  const index = (await table.listIndices()).find(({ columns }) => columns.includes('text'));
  if (index) await write(() => createTextIndex(table, index.indexDetails.language), maxRewritingMs);
  await dropVectorIndexes(table); // maintenance creates one again
  await mark(table, rewrittenKey, begun);
}

async function mark(table: Table, key: string, version: number): Promise<void> {
  await write(() => table.updateFieldMetadata([{ path: 'text', metadata: { [key]: String(version) } }]));
}
