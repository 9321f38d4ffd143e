import type { Table } from '@lancedb/lancedb';
import type { Embedder } from '../embedding/embedder.ts';
import { dimensionsOf } from './dimensions-of.ts';
import { quote } from './quote.ts';
import { dropVectorIndexes } from './vector-index.ts';
import { write } from './write.ts';

const rowsOfBatch = 64;

/**
 * Embeds the memories that have no vector of this model, a batch at a time; searches go on by words meanwhile. One that was interrupted
 * goes on where it was.
 */
export async function reindexTable(
  table: Table,
  embedder: Embedder,
  options: {
    onProgress?: ((done: number, of: number) => void) | undefined;
    signal?: AbortSignal | undefined;
    /** It stops after so many, or the rest of a batch more. */
    most?: number | undefined;
  },
): Promise<number> {
  const { most = Number.POSITIVE_INFINITY } = options;
  if ((await dimensionsOf(table)) !== embedder.dimensions) await replaceVectors(table, embedder.dimensions);
  const missing = `model is null or model != ${quote(embedder.model)}`;
  const all = await table.countRows(missing);
  let done = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    const rows = await table.query().where(missing).select(['id', 'text']).limit(rowsOfBatch).toArray();
    if (!rows.length) {
      if (done) await dropVectorIndexes(table);
      return done;
    }
    if (done >= most) return done;
    const vectors = await embedder.embed(
      rows.map(({ text }) => String(text)),
      'document',
    );
    const embedded = rows.map(({ id }, index) => ({ id: String(id), model: embedder.model, vector: vectors[index] }));
    // The text may have been changed meanwhile; who changed it wrote its vector too.
    await write(() =>
      table
        .mergeInsert('id')
        .whenMatchedUpdateAll({ where: `target.model is null or target.model != ${quote(embedder.model)}` })
        .execute(embedded),
    );
    done += rows.length;
    options.onProgress?.(done, Math.max(all, done));
  }
}

/** Vectors of another length need another column. */
async function replaceVectors(table: Table, dimensions: number): Promise<void> {
  await write(() => table.update({ where: 'model is not null', valuesSql: { model: 'null' } }));
  if ((await table.schema()).fields.some(({ name }) => name === 'vector'))
    await write(() => table.dropColumns(['vector']));
  const valueSql = `arrow_cast(null, 'FixedSizeList(${dimensions}, Float32)')`;
  await write(() => table.addColumns([{ name: 'vector', valueSql }]));
}
