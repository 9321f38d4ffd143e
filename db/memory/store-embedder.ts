import type { Table } from '@lancedb/lancedb';
import type { Embedder } from './embedding/embedder.ts';
import { createEmbedderSource, type EmbedderSource } from './embedding/embedder-source.ts';
import type { OpenedEmbedder } from './embedding/open-embedder.ts';
import { createCachedCheck } from './table/cached-check.ts';
import { dimensionsOf } from './table/dimensions-of.ts';
import { quote } from './table/quote.ts';
import { embedFew, lacksVectorOf } from './table/reindex.ts';
import { replaceVectors } from './table/vector-column.ts';

/** Memories that an upkeep gives the vectors that they could not have when they were written: some seconds' work of the local model. */
const embeddedByUpkeep = 500;

/** What the store does with its embedding model. A model that fails costs meaning, never a memory or a search: it is told of once instead. */
export interface StoreEmbedder extends EmbedderSource {
  /** Undefined where only words can be searched for. */
  embedQuestion(text: string): Promise<number[] | undefined>;
  /** Undefined where the texts are to be written without vectors. */
  embedWritten(texts: string[]): Promise<{ model: string; vectors: number[][] } | undefined>;
  /** The model that vectors have to be of to be compared with its; undefined where all are of one. */
  onlyModel(): Promise<string | undefined>;
  /** Embeds some of what was written without a vector. */
  embedLacking(): Promise<void>;
  /** Memories without a vector of this model. */
  countLacking(): Promise<number>;
  /** True where the table's vectors are as long as the model's; what another process embeds anew is noticed within a minute. */
  fits(): Promise<boolean>;
  /** The vectors are being replaced, or have been. */
  forgetVectors(): void;
}

/** Tells of memories that no search by meaning finds, if there are any. */
export async function createStoreEmbedder(
  table: Table,
  opened: Pick<OpenedEmbedder, 'embedder' | 'reopen'>,
  /** Tells once of each kind of trouble. */
  tell: (kind: string, notice: string) => void,
): Promise<StoreEmbedder> {
  const source = createEmbedderSource(opened, (notice) => tell('found later', notice));
  const { current, look } = source;
  /** The model came, or will come, after the table was opened, and no upkeep has looked at both. */
  let isLate = !opened.embedder;
  const fit = createCachedCheck(async () => (await dimensionsOf(table)) === current()?.dimensions);
  const mixes = createCachedCheck(async () => (await table.countRows(`model != ${quote(current()?.model ?? '')}`)) > 0);

  /** The model, where the table's vectors can be compared with its. */
  async function comparable(): Promise<Embedder | undefined> {
    const embedder = current();
    if (!embedder || (await fit.get())) return embedder;
    const dimensions = await dimensionsOf(table);
    tell(
      'another length',
      `The memories have vectors of ${dimensions} dimensions, ${embedder.model} gives ${embedder.dimensions}: they are found by their words only. \`longhaul memory reindex\` embeds them anew.`,
    );
    return undefined;
  }

  /** The table may have been made while the model could not be asked for its length: where nothing has a vector, it gets that. */
  async function fitEmptyTable(embedder: Embedder): Promise<void> {
    if (!(await table.countRows('model is not null'))) await replaceVectors(table, embedder.dimensions);
    fit.forget();
    isLate = false; // later it may be another process's reindex that has just taken the vectors away
  }

  const storeEmbedder: StoreEmbedder = {
    ...source,
    async embedQuestion(text) {
      try {
        return (await (await comparable())?.embed([text], 'query'))?.[0];
      } catch (error) {
        tell(
          'question',
          `The embedding model failed, so that memories are found by their words only. ${String(error)}`,
        );
        return undefined;
      }
    },
    async embedWritten(texts) {
      try {
        const fitting = texts.length ? await comparable() : undefined;
        return fitting && { model: fitting.model, vectors: await fitting.embed(texts, 'document') };
      } catch (error) {
        tell(
          'written',
          `The embedding model failed, so that memories are kept without a vector until the next upkeep or \`longhaul memory reindex\`. ${String(error)}`,
        );
        return undefined;
      }
    },
    async onlyModel() {
      const model = current()?.model;
      return model !== undefined && (await mixes.get()) ? model : undefined;
    },
    async embedLacking() {
      try {
        const embedder = await look();
        if (embedder && isLate) await fitEmptyTable(embedder);
        const fitting = await comparable();
        if (fitting) await embedFew(table, fitting, embeddedByUpkeep);
      } catch (error) {
        tell(
          'upkeep',
          `Memories without a vector could not be embedded and wait for the next upkeep. ${String(error)}`,
        );
      }
    },
    countLacking: () => table.countRows(lacksVectorOf(current()?.model)),
    fits: () => fit.get(),
    forgetVectors() {
      fit.forget();
      mixes.forget();
    },
  };

  const lacking = (await comparable()) ? await storeEmbedder.countLacking() : 0;
  if (lacking) {
    tell(
      'lacking',
      `${lacking} memories have no vector of ${current()?.model} and are found by their words only. \`longhaul memory reindex\` embeds them.`,
    );
  }
  return storeEmbedder;
}
