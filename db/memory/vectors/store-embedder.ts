import type { Table } from '@lancedb/lancedb';
import type { Embedder, OpenedEmbedder } from '../../../domain/memory/embedder.ts';
import { createEmbedderSource, type EmbedderSource } from './embedder-source.ts';
import { embedFew, lacksVectorOf } from './reindex.ts';
import { dimensionsOf, replaceVectors } from './vector-column.ts';

/** Memories without a vector that one maintenance embeds: some seconds' work for the local model. */
const embeddedByMaintenance = 500;

/** How the store uses its embedding model. If the model fails, only search by meaning is lost, never a memory or a search; this is reported once. */
export interface StoreEmbedder extends EmbedderSource {
  /** The vector of a question and its model; undefined if only words can be searched. */
  embedQuestion(text: string): Promise<{ model: string; vector: number[] } | undefined>;
  /** Undefined if the texts are to be written without vectors. */
  embedWritten(texts: string[]): Promise<{ model: string; vectors: number[][] } | undefined>;
  /** Embeds some of the memories that have no vector. */
  embedLacking(): Promise<void>;
  /** Memories without a vector of this model. */
  countLacking(): Promise<number>;
  /** Whether the table's vectors are as long as the model's. */
  fits(): Promise<boolean>;
}

/** Reports memories that no search by meaning can find, if there are any. */
export async function createStoreEmbedder(
  table: Table,
  opened: Pick<OpenedEmbedder, 'embedder' | 'reopen'>,
  /** Reports each kind of trouble once. */
  notify: (kind: string, notice: string) => void,
): Promise<StoreEmbedder> {
  const source = createEmbedderSource(opened, (notice) => notify('found later', notice));
  const { current, look } = source;
  /** Whether the model was missing when the table was opened, and no maintenance has fitted the table to it since. */
  let isLate = !opened.embedder;
  const fits = async () => (await dimensionsOf(table)) === current()?.dimensions;

  /** The model, if the table's vectors are comparable with its own. */
  async function comparable(): Promise<Embedder | undefined> {
    const embedder = current();
    if (!embedder || (await fits())) return embedder;
    const dimensions = await dimensionsOf(table);
    notify(
      'another length',
      `Memories have vectors of ${dimensions} dimensions, but ${embedder.model} gives ${embedder.dimensions}. Search finds them only by their words. \`longhaul memory reindex\` embeds them again.`,
    );
    return undefined;
  }

  /** The table may have been created before the model's vector length was known; if nothing has a vector yet, it gets that length. */
  async function fitEmptyTable(embedder: Embedder): Promise<void> {
    if (!(await table.countRows('model is not null'))) await replaceVectors(table, embedder.dimensions);
    isLate = false; // later, another process's reindex may be what has just removed the vectors
  }

  const storeEmbedder: StoreEmbedder = {
    ...source,
    async embedQuestion(text) {
      try {
        const fitting = await comparable();
        const [vector] = (await fitting?.embed([text], 'query')) ?? [];
        return fitting && vector && { model: fitting.model, vector };
      } catch (error) {
        notify('question', `The embedding model failed. Search finds memories only by their words. ${String(error)}`);
        return undefined;
      }
    },
    async embedWritten(texts) {
      try {
        const fitting = texts.length ? await comparable() : undefined;
        return fitting && { model: fitting.model, vectors: await fitting.embed(texts, 'document') };
      } catch (error) {
        notify(
          'written',
          `The embedding model failed. Memories are stored without a vector until the next maintenance or \`longhaul memory reindex\`. ${String(error)}`,
        );
        return undefined;
      }
    },
    async embedLacking() {
      try {
        const embedder = await look();
        if (embedder && isLate) await fitEmptyTable(embedder);
        const fitting = await comparable();
        if (fitting) await embedFew(table, fitting, embeddedByMaintenance);
      } catch (error) {
        notify(
          'maintenance',
          `Could not embed the memories without a vector. The next maintenance tries again. ${String(error)}`,
        );
      }
    },
    countLacking: () => table.countRows(lacksVectorOf(current()?.model)),
    fits,
  };

  const lacking = (await comparable()) ? await storeEmbedder.countLacking() : 0;
  if (lacking) {
    notify(
      'lacking',
      `${lacking} memories have no vector of ${current()?.model}. Search finds them only by their words. \`longhaul memory reindex\` embeds them.`,
    );
  }
  return storeEmbedder;
}
