import { type ConsolidationAccess, createConsolidationAccess } from './consolidation/consolidation-access.ts';
import type { OpenedEmbedder } from './embedding/open-embedder.ts';
import type { Memory, MemoryChange, MemoryFilter, MemoryPage, NewMemory } from './memory.ts';
import { NoEmbedderError } from './no-embedder-error.ts';
import { expectText } from './quality/expect-text.ts';
import { expectNoSecret } from './quality/secrets.ts';
import type { FoundMemory, MemoryQuery } from './search/memory-query.ts';
import { search } from './search/search.ts';
import { createWordStems } from './search/word-stems.ts';
import { createStoreEmbedder } from './store-embedder.ts';
import { placeInHistory, type StoredMemory } from './table/admitted.ts';
import { createCachedCheck } from './table/cached-check.ts';
import { changeRow } from './table/change-row.ts';
import { createCompactionTrigger } from './table/compaction-trigger.ts';
import { toCondition } from './table/condition.ts';
import { markForgotten, rewriteForgotten } from './table/forgotten.ts';
import { growIndexes, isTextIndexEmpty } from './table/indexes.ts';
import { fillDerivedColumns } from './table/open-table.ts';
import { openTables } from './table/open-tables.ts';
import { quote, quoteAll } from './table/quote.ts';
import { readByIds, readWhere } from './table/read-memories.ts';
import { readStats, type TableStats } from './table/read-stats.ts';
import { foundBySql } from './table/readers.ts';
import { createRecalls } from './table/recalls.ts';
import { reindexTable } from './table/reindex.ts';
import { toRow } from './table/rows.ts';
import { writeFitting } from './table/vector-column.ts';
import { isQuantized } from './table/vector-index.ts';
import { write } from './table/write.ts';

/** Vectors of a table that was made without a model have as many dimensions as the local one's. */
const usualDimensions = 384;

/** Versions of the table that old are removed; a search that began before has long ended. */
const versionsKeptMs = 60 * 60_000;

/** Who closes the store waits so long for what may as well stay unwritten. */
const patienceAtClose = 5_000;

/** A million memories are compacted in minutes. */
const longestUpkeepMs = 60 * 60_000;

export interface MemoryStore extends ConsolidationAccess {
  /**
   * Writes memories; one that has an id of a memory replaces it. What `get` gave keeps what took its place. Where the model gives no
   * vectors they are written without, found by their words, and embedded by a later `optimize` or `reindex`.
   * @throws {SecretInMemoryError | EmptyMemoryError} before anything is written.
   */
  remember(memories: Array<NewMemory | StoredMemory>): Promise<void>;
  /**
   * Changes a memory that is there, on top of what others change meanwhile; false where there is none, or no more. A new text gets its
   * vector as in `remember`.
   * @throws {SecretInMemoryError | EmptyMemoryError} before anything is written.
   */
  change(id: string, changes: MemoryChange): Promise<boolean>;
  /** The memories that fit a question, best first. One that was written before is found. */
  search(query: MemoryQuery): Promise<FoundMemory[]>;
  /** Those of the ids that there are, also superseded and expired ones. */
  get(ids: string[]): Promise<StoredMemory[]>;
  /** Newest first, and those of one moment by their ids; `after`: those that come after that one. */
  list(filter: MemoryFilter, page?: MemoryPage): Promise<Memory[]>;
  count(filter: MemoryFilter): Promise<number>;
  /**
   * Removes memories for good; returns how many there were. No search, list or export gives them from then on; the files have their texts
   * until an upkeep has written them anew and the versions before it are removed, an hour later.
   */
  forget(ids: string[]): Promise<number>;
  /** Marks memories as replaced by another one, which has to be there. */
  supersede(ids: string[], by: string): Promise<void>;
  /**
   * Compacts the table, brings its indexes up to date and makes those that it has grown into; embeds some hundred memories that were
   * written without a vector. Searches go on.
   */
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

export interface MemoryStats extends TableStats {
  /** Absent where memories are found by their words only. */
  model?: string | undefined;
  /** Whether a model is named that cannot be had yet; it is looked for each minute. */
  awaitsModel: boolean;
  /** Memories without a vector of that model. */
  withoutVector: number;
}

/** Without an embedder memories are found by their words only, until `reopen` gives one: it is asked at most once a minute. */
export interface MemoryStoreOptions extends Pick<OpenedEmbedder, 'embedder' | 'reopen'> {
  /** A folder or an object store's address. */
  uri: string;
  /** Of the full-text index, such as `English`; decided when the table is made. */
  language?: string | undefined;
  /** Told once of what keeps meaning from being searched, and when a model came that could not be had. */
  onNotice?: ((text: string) => void) | undefined;
  /** Called when so many single writes have come together that `optimize` is due. */
  onCompactionDue?: (() => void) | undefined;
}

/** Opens the memories in LanceDB. */
export async function openMemoryStore(options: MemoryStoreOptions): Promise<MemoryStore> {
  const { language = 'English' } = options;
  const dimensions = options.embedder?.dimensions ?? usualDimensions;
  const { table, searched, close } = await openTables(options.uri, { dimensions, language });
  const stems = createWordStems(searched);
  /** By the wrong kind of index a search is slower, or its scores are estimates. */
  const quantizes = createCachedCheck(() => isQuantized(table));
  /** The first upkeep, of whatever process, ends it; until then a search looks through all texts. */
  const hasNoTexts = createCachedCheck(
    () => isTextIndexEmpty(table),
    (isEmpty) => (isEmpty ? 1_000 : 60_000),
  );
  const told = new Set<string>();
  const tell = (kind: string, notice: string) => {
    if (!told.has(kind)) options.onNotice?.(notice);
    told.add(kind);
  };
  const embedding = await createStoreEmbedder(table, options, tell);
  const compactionTrigger = createCompactionTrigger(
    () => table.countRows(),
    () => options.onCompactionDue?.(),
  );
  const recalls = createRecalls(table);

  return {
    ...createConsolidationAccess(table, quantizes),
    async remember(memories) {
      for (const memory of memories) {
        expectText(memory);
        expectNoSecret(memory);
      }
      const embedded = await embedding.embedWritten(memories.map(({ text }) => text));
      await writeFitting(
        table,
        memories.map((memory, index) => {
          const vector = embedded?.vectors[index];
          return toRow(memory, embedded && vector ? { model: embedded.model, vector } : undefined);
        }),
      );
      await compactionTrigger.written();
    },
    async change(id, changes) {
      const { text, expiresAt } = changes;
      if (text !== undefined) expectText({ id, text, expiresAt });
      expectNoSecret({ id, ...changes });
      const embedded = text === undefined ? undefined : await embedding.embedWritten([text]);
      const vector = embedded?.vectors[0];
      const isChanged = await changeRow(table, id, changes, embedded && vector && { model: embedded.model, vector });
      if (isChanged) await compactionTrigger.written();
      return isChanged;
    },
    async search(query) {
      const now = new Date();
      const { embedQuestion } = embedding;
      const onlyModel = await embedding.onlyModel();
      const [quantized, unsorted] = await Promise.all([quantizes.get(), hasNoTexts.get()]);
      const deps = { table: searched, stems, embedQuestion, onlyModel, quantized, unsorted, now };
      const found = await search(deps, query).catch(async (error) => {
        embedding.forgetVectors();
        if (!embedding.current() || (await embedding.fits())) throw error;
        return search(deps, query); // by words: the vectors have another length now, or are being replaced
      });
      for (const { id } of found) recalls.add(id);
      return found;
    },
    get: (ids) => readByIds(table, ids),
    list: (filter, page) => readWhere(table, toCondition(filter, new Date()), page),
    count: (filter) => table.countRows(toCondition(filter, new Date())),
    async forget(ids) {
      if (!ids.length) return 0;
      const condition = `id in ${quoteAll(ids)}`;
      const found = await table.countRows(condition);
      if (found) await write(() => table.delete(condition));
      await markForgotten(table); // also where one that was killed before it could had deleted them
      if (found) await compactionTrigger.written();
      return found;
    },
    async supersede(ids, by) {
      const [newer] = await readByIds(table, [by]);
      if (!newer) throw new Error(`Expected a memory "${by}" that takes the place of others, found none.`);
      const { lineageId, sequence } = placeInHistory(newer) ?? {};
      const valuesSql = {
        superseded_by: quote(by),
        // Of one that has no place in a lineage too: those that it replaces may have that of what took theirs before.
        superseded_lineage: lineageId === undefined ? 'null' : quote(lineageId),
        superseded_sequence: sequence === undefined ? 'null' : String(sequence),
        found_by: foundBySql.superseded,
      };
      if (ids.length) await write(() => table.update({ where: `id in ${quoteAll(ids)}`, valuesSql }));
      await compactionTrigger.written();
    },
    async optimize() {
      await recalls.write();
      await fillDerivedColumns(table);
      await embedding.embedLacking();
      const notRewritten = await rewriteForgotten(table).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      const cleanupOlderThan = new Date(Date.now() - versionsKeptMs);
      await write(() => table.optimize({ cleanupOlderThan }), longestUpkeepMs);
      const indexed = await growIndexes(table);
      compactionTrigger.compacted();
      hasNoTexts.forget();
      quantizes.forget();
      // Thrown last: who writes all the time may keep all rows from being written anew, but not searches from getting slower.
      if (notRewritten) throw notRewritten.error;
      return { rows: await table.countRows(), indexed };
    },
    async reindex(reindexOptions = {}) {
      const embedder = await embedding.look();
      if (!embedder) throw new NoEmbedderError();
      try {
        return await reindexTable(table, embedder, reindexOptions);
      } finally {
        embedding.forgetVectors();
        hasNoTexts.forget();
      }
    },
    async stats() {
      const embedder = await embedding.look();
      return {
        ...(await readStats(table)),
        model: embedder?.model,
        awaitsModel: embedding.isAwaited(),
        withoutVector: await embedding.countLacking(),
      };
    },
    async close() {
      try {
        await recalls.write(patienceAtClose, 1);
      } catch (error) {
        // What was searched for has been found: a store that is busy or cannot be written to is no failure of it.
        tell('recalls', `When memories were last recalled was not written. ${String(error)}`);
      } finally {
        close();
      }
    },
  };
}
