import { connect } from '@lancedb/lancedb';
import { type ConsolidationAccess, createConsolidationAccess } from './consolidation/consolidation-access.ts';
import type { Embedder } from './embedding/embedder.ts';
import type { Memory, MemoryFilter, NewMemory } from './memory.ts';
import { findSecret, SecretInMemoryError } from './quality/secrets.ts';
import type { FoundMemory, MemoryQuery } from './search/memory-query.ts';
import { search } from './search/search.ts';
import { createWordStems } from './search/word-stems.ts';
import { toCondition } from './table/condition.ts';
import { dimensionsOf } from './table/dimensions-of.ts';
import { growIndexes, isTextIndexEmpty } from './table/indexes.ts';
import { fillDerivedColumns, openTable } from './table/open-table.ts';
import { quote, quoteAll } from './table/quote.ts';
import { reindexTable } from './table/reindex.ts';
import { toMemory, toRow } from './table/rows.ts';
import { columnsOfMemory } from './table/schema.ts';
import { createTrustedAnswer } from './table/trusted-answer.ts';
import { isQuantized } from './table/vector-index.ts';
import { mergeRows, write } from './table/write.ts';

/** Vectors of a table that was made without a model have as many dimensions as the local one's. */
const usualDimensions = 384;

/** Versions of the table that old are removed; a search that began before has long ended. */
const versionsKeptMs = 60 * 60_000;

/** A million memories are compacted in minutes. */
const longestUpkeepMs = 60 * 60_000;

export interface MemoryStore extends ConsolidationAccess {
  /**
   * Writes memories; one that has an id of a memory replaces it.
   * @throws {SecretInMemoryError} before anything is written.
   */
  remember(memories: NewMemory[]): Promise<void>;
  /** The memories that fit a question, best first. One that was written before is found. */
  search(query: MemoryQuery): Promise<FoundMemory[]>;
  /** Those of the ids that there are, also superseded and expired ones. */
  get(ids: string[]): Promise<Memory[]>;
  /** Newest first. */
  list(filter: MemoryFilter, page?: { limit?: number; offset?: number }): Promise<Memory[]>;
  count(filter: MemoryFilter): Promise<number>;
  /** Removes memories for good; returns how many there were. */
  forget(ids: string[]): Promise<number>;
  /** Marks memories as replaced by another one, which has to be there. */
  supersede(ids: string[], by: string): Promise<void>;
  /** Compacts the table, brings its indexes up to date and makes those that it has grown into. Searches go on. */
  optimize(): Promise<{ rows: number; indexed: string[] }>;
  /**
   * Embeds the memories that have no vector of the present model; returns how many.
   * @throws {NoEmbedderError}
   */
  reindex(options?: {
    onProgress?: (done: number, of: number) => void;
    signal?: AbortSignal;
    /** It stops after so many. */
    most?: number;
  }): Promise<number>;
  stats(): Promise<MemoryStats>;
  close(): Promise<void>;
}

export interface MemoryStats {
  memories: number;
  /** Those found no more: superseded or expired. */
  history: number;
  byKind: Record<string, number>;
  /** Absent where memories are found by their words only. */
  model?: string | undefined;
  /** Memories without a vector of that model. */
  withoutVector: number;
  indexes: string[];
}

/** Thrown when memories are to be embedded and no model can be had. */
export class NoEmbedderError extends Error {
  override name = 'NoEmbedderError';
}

export interface MemoryStoreOptions {
  /** A folder or an object store's address. */
  uri: string;
  /** Absent: memories are found by their words only. */
  embedder?: Embedder | undefined;
  /** Of the full-text index, such as `English`; decided when the table is made. */
  language?: string | undefined;
  /** Told once of what keeps meaning from being searched. */
  onNotice?: ((text: string) => void) | undefined;
}

/** Opens the memories in LanceDB. */
export async function openMemoryStore(options: MemoryStoreOptions): Promise<MemoryStore> {
  const { language = 'English' } = options;
  const connection = await connect(options.uri, { readConsistencyInterval: 0 }); // other processes write too
  const table = await openTable(connection, { dimensions: options.embedder?.dimensions ?? usualDimensions, language });
  const stems = createWordStems(table);
  /** By the wrong kind of index a search is slower, or its scores are estimates. */
  const quantizes = createTrustedAnswer(() => isQuantized(table));
  const hasNoTexts = createTrustedAnswer(() => isTextIndexEmpty(table));
  const told = new Set<string>();
  /** What another process embeds anew is noticed within a minute. */
  const fits = createTrustedAnswer(async () => (await dimensionsOf(table)) === options.embedder?.dimensions);
  const mixes = createTrustedAnswer(
    async () => (await table.countRows(`model != ${quote(options.embedder?.model ?? '')}`)) > 0,
  );
  const lacking = (await comparable()) ? await countLacking() : 0;
  if (lacking) {
    tell(
      `${lacking} memories have no vector of ${options.embedder?.model} and are found by their words only. \`longhaul memory reindex\` embeds them.`,
    );
  }
  /** Ids that searches gave since the last time that it was written. */
  const recalled = new Set<string>();

  function tell(notice: string): void {
    if (told.has(notice)) return;
    told.add(notice);
    options.onNotice?.(notice);
  }

  /** The model, where the table's vectors can be compared with its. */
  async function comparable(): Promise<Embedder | undefined> {
    const { embedder } = options;
    if (!embedder || (await fits.get())) return embedder;
    const dimensions = await dimensionsOf(table);
    tell(
      `The memories have vectors of ${dimensions} dimensions, ${embedder.model} gives ${embedder.dimensions}: they are found by their words only. \`longhaul memory reindex\` embeds them anew.`,
    );
    return undefined;
  }

  async function countLacking(): Promise<number> {
    const model = options.embedder?.model;
    return table.countRows(model === undefined ? 'model is null' : `model is null or model != ${quote(model)}`);
  }

  async function embedQuestion(text: string): Promise<number[] | undefined> {
    try {
      return (await (await comparable())?.embed([text], 'query'))?.[0];
    } catch (error) {
      // A search by words is better than none.
      tell(`The embedding model failed, so that memories are found by their words only. ${String(error)}`);
      return undefined;
    }
  }

  async function readAll(ids: string[]): Promise<Memory[]> {
    if (!ids.length) return [];
    const rows = await table
      .query()
      .where(`id in ${quoteAll(ids)}`)
      .select(columnsOfMemory)
      .toArray();
    return rows.map(toMemory);
  }

  async function read(condition: string, page: { limit?: number; offset?: number } = {}): Promise<Memory[]> {
    let query = table.query().where(condition).select(columnsOfMemory);
    if (page.limit !== undefined) query = query.limit(page.limit);
    if (page.offset) query = query.offset(page.offset);
    return (await query.orderBy([{ columnName: 'created_at', ascending: false }]).toArray()).map(toMemory);
  }

  async function writeRecalled(): Promise<void> {
    if (!recalled.size) return;
    const where = `id in ${quoteAll([...recalled])}`;
    recalled.clear();
    await write(() => table.update({ where, values: { recalled_at: new Date() } }));
  }

  return {
    ...createConsolidationAccess(table, quantizes),
    async remember(memories) {
      for (const { id, text, tags = [] } of memories) {
        const secret = findSecret([text, ...tags].join('\n'));
        if (secret !== undefined) throw new SecretInMemoryError(id, secret);
      }
      const texts = memories.map(({ text }) => text);
      const embedder = await comparable();
      const vectors = embedder && texts.length ? await embedder.embed(texts, 'document') : [];
      await mergeRows(
        table,
        memories.map((memory, index) => {
          const vector = vectors[index];
          return toRow(memory, embedder && vector ? { model: embedder.model, vector } : undefined);
        }),
      );
    },
    async search(query) {
      const now = new Date();
      const onlyModel = (await mixes.get()) ? options.embedder?.model : undefined;
      const [quantized, unsorted] = await Promise.all([quantizes.get(), hasNoTexts.get()]);
      const found = await search({ table, stems, embedQuestion, onlyModel, quantized, unsorted, now }, query);
      for (const { id } of found) recalled.add(id);
      return found;
    },
    get: readAll,
    list: (filter, page) => read(toCondition(filter, new Date()), page),
    count: (filter) => table.countRows(toCondition(filter, new Date())),
    async forget(ids) {
      if (!ids.length) return 0;
      const condition = `id in ${quoteAll(ids)}`;
      const found = await table.countRows(condition);
      if (found) await write(() => table.delete(condition));
      return found;
    },
    async supersede(ids, by) {
      const [newer] = await read(`id = ${quote(by)}`);
      if (!newer) throw new Error(`Expected a memory "${by}" that takes the place of others, found none.`);
      const values = {
        superseded_by: by,
        ...(newer.lineageId !== undefined && { superseded_lineage: newer.lineageId }),
        ...(newer.sequence !== undefined && { superseded_sequence: newer.sequence }),
      };
      if (ids.length) await write(() => table.update({ where: `id in ${quoteAll(ids)}`, values }));
    },
    async optimize() {
      await writeRecalled();
      await fillDerivedColumns(table);
      const cleanupOlderThan = new Date(Date.now() - versionsKeptMs);
      await write(() => table.optimize({ cleanupOlderThan }), longestUpkeepMs);
      const indexed = await growIndexes(table);
      return { rows: await table.countRows(), indexed };
    },
    async reindex(reindexOptions = {}) {
      if (!options.embedder) {
        throw new NoEmbedderError(
          'Expected an embedding model. `longhaul setup` fetches the local one; LONGHAUL_MODEL_EMBEDDING names another.',
        );
      }
      try {
        return await reindexTable(table, options.embedder, reindexOptions);
      } finally {
        fits.forget();
        mixes.forget();
      }
    },
    async stats() {
      const [memories, current, rows, indexes] = await Promise.all([
        table.countRows(),
        table.countRows(toCondition({ scope: 'everything' }, new Date())),
        table.query().select(['kind']).toArrow(),
        table.listIndices(),
      ]);
      const byKind: Record<string, number> = {};
      for (const kind of rows.getChild('kind') ?? []) byKind[String(kind)] = (byKind[String(kind)] ?? 0) + 1;
      const model = options.embedder?.model;
      return {
        memories,
        history: memories - current,
        byKind,
        model,
        withoutVector: await countLacking(),
        indexes: indexes.map(({ name, indexType }) => `${name} (${indexType})`),
      };
    },
    async close() {
      await writeRecalled();
      table.close();
      connection.close();
    },
  };
}
