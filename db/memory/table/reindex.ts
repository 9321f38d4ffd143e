import type { Table } from '@lancedb/lancedb';
import type { Embedder } from '../embedding/embedder.ts';
import { dimensionsOf } from './dimensions-of.ts';
import { quote } from './quote.ts';
import { replaceVectors } from './vector-column.ts';
import { dropVectorIndexes } from './vector-index.ts';
import { updateRows } from './write.ts';

const rowsOfBatch = 64;

/** The condition on memories that have no vector of this model, or where there is no model none at all. */
export function lacksVectorOf(model: string | undefined): string {
  return model === undefined ? 'model is null' : `model is null or model != ${quote(model)}`;
}

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

/** Embeds some of the memories that no model gave a vector; too few for the vector index to have other centres. */
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
  // One whose text was changed meanwhile is read again, unless who changed it wrote a vector of this model too.
  const condition = `(target.model is null or target.model != ${quote(model)}) and target.text = source.text`;
  await updateRows(table, embedded, condition);
}
