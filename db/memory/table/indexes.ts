import { Index, type Table } from '@lancedb/lancedb';
import { growVectorIndex } from '../vectors/vector-index.ts';

/** Rows below which a filter reads its columns faster than an index on them. */
const minRowsForFilterIndexes = 5_000;

const filterIndexes = [
  ['found_by', Index.bitmap()],
  ['project_id', Index.btree()],
  ['session_id', Index.btree()],
  ['scope', Index.bitmap()],
  ['kind', Index.bitmap()],
  ['place', Index.btree()],
  ['lineage_id', Index.bitmap()],
  ['superseded_by', Index.btree()],
  ['expires_at', Index.btree()],
] as const;

/** Maximum bytes of a word in the full-text index: hashes, and sentences in scripts without spaces, are one word each. */
const maxWordLength = 400;

/** Creates the full-text index: stemmed, without stop words. `language` is one that LanceDB has a stemmer for, such as `English`. */
export async function createTextIndex(table: Table, language: string): Promise<void> {
  const config = Index.fts({
    language,
    stem: true,
    removeStopWords: true,
    asciiFolding: true,
    withPosition: false,
    maxTokenLength: maxWordLength,
  });
  await table.createIndex('text', { config, replace: true });
}

/** True until the first maintenance after memories were written, or after all of them were rewritten. */
export async function isTextIndexEmpty(table: Table): Promise<boolean> {
  const index = (await table.listIndices()).find(({ columns }) => columns.includes('text'));
  return !index?.numIndexedRows;
}

/** Creates the indexes that the table has grown large enough for; returns the columns that got one. */
export async function growIndexes(table: Table): Promise<string[]> {
  const [rows, indexes] = await Promise.all([table.countRows(), table.listIndices()]);
  const has = new Set(indexes.flatMap((index) => index.columns));
  const made: string[] = [];
  for (const [column, config] of rows >= minRowsForFilterIndexes ? filterIndexes : []) {
    if (has.has(column)) continue;
    await table.createIndex(column, { config });
    made.push(column);
  }
  if (await growVectorIndex(table)) made.push('vector');
  return made;
}
