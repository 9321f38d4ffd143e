import type { Table } from '@lancedb/lancedb';
import type { Embedder } from '../../../domain/memory/embedder.ts';
import { quote } from '../table/quote.ts';
import { updateRows } from '../table/write.ts';
import { dimensionsOf, replaceVectors } from './vector-column.ts';
import { dropVectorIndexes } from './vector-index.ts';

const rowsOfBatch = 64;

/** The condition for memories without a vector of this model or, if there is no model, without any. */
export function lacksVectorOf(model: string | undefined): string {
  return model === undefined ? 'model is null' : `model is null or model != ${quote(model)}`;
}

/**
 * Embeds the memories that have no vector of this model, in batches; searches go on by words meanwhile. The next run continues an interrupted one.
 */
export async function reindexTable(
  table: Table,
  embedder: Embedder,
  options: {
    onProgress?: ((done: number, of: number) => void) | undefined;
    signal?: AbortSignal | undefined;
    /** Stops after this many, rounded up to a whole batch. */
    most?: number | undefined;
  },
): Promise<number> {
  const { most = Number.POSITIVE_INFINITY } = options;
  if ((await dimensionsOf(table)) !== embedder.dimensions) await replaceVectors(table, embedder.dimensions);
  const missing = lacksVectorOf(embedder.model);
  const all = await table.countRows(missing);
  let done = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    const rows = await readBatch(table, missing);
    if (!rows.length) {
      if (done) await dropVectorIndexes(table);
      return done;
    }
    if (done >= most) return done;
    await embedRows(table, embedder, rows);
    done += rows.length;
    options.onProgress?.(done, Math.max(all, done));
  }
}

/** Embeds some of the memories that have no vector; too few to shift the centres of the vector index. */
export async function embedFew(table: Table, embedder: Embedder, most: number): Promise<void> {
  for (let done = 0; done < most; done += rowsOfBatch) {
    const rows = await readBatch(table, lacksVectorOf(undefined));
    if (!rows.length) return;
    await embedRows(table, embedder, rows);
  }
}

async function readBatch(table: Table, condition: string): Promise<Array<{ id: string; text: string }>> {
  const rows = await table.query().where(condition).select(['id', 'text']).limit(rowsOfBatch).toArray();
  return rows.map(({ id, text }) => ({ id: String(id), text: String(text) }));
}

async function embedRows(table: Table, embedder: Embedder, rows: Array<{ id: string; text: string }>): Promise<void> {
  const { model } = embedder;
  const vectors = await embedder.embed(
    rows.map(({ text }) => text),
    'document',
  );
  const embedded = rows.map((row, index) => ({ ...row, model, vector: vectors[index] }));
  // A memory whose text was changed meanwhile is read again, unless the change also wrote a vector of this model.
  const condition = `(target.model is null or target.model != ${quote(model)}) and target.text = source.text`;
  await updateRows(table, embedded, condition);
}
