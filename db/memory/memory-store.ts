import type { OpenedEmbedder } from '../../domain/memory/embedder.ts';
import { type ConsolidationAccess, createConsolidationAccess } from './consolidation/consolidation-access.ts';
import type { Memory, MemoryChange, MemoryFilter, MemoryPage, NewMemory } from './memory.ts';
import { noEmbedder } from './memory-error.ts';
import { expectNoSecret, expectText } from './quality/expect-storable.ts';
import type { FoundMemory, MemoryQuery } from './search/memory-query.ts';
import { search } from './search/search.ts';
import { createWordStems } from './search/word-stems.ts';
import { changeRow } from './table/change-row.ts';
import { createCompactionTrigger } from './table/compaction-trigger.ts';
import { markForgotten, rewriteForgotten } from './table/forgotten.ts';
import { growIndexes } from './table/indexes.ts';
import { openTables } from './table/open-tables.ts';
import { quoteAll } from './table/quote.ts';
import { readByIds, readWhere } from './table/read-memories.ts';
import { readStats, type TableStats } from './table/read-stats.ts';
import { createRecalls } from './table/recalls.ts';
import { toRow } from './table/rows.ts';
import { setSuperseded } from './table/supersede.ts';
import { write } from './table/write.ts';
import { reindexTable } from './vectors/reindex.ts';
import { createStoreEmbedder } from './vectors/store-embedder.ts';
import { writeFitting } from './vectors/vector-column.ts';
import type { StoredMemory } from './visibility/admitted.ts';
import { toCondition } from './visibility/condition.ts';

/** Dimensions of the vectors in a table created without a model: those of the local one. */
const defaultDimensions = 384;

/** Milliseconds after which old versions of the table are removed; any search that reads one has long ended by then. */
const versionsKeptMs = 60 * 60_000;

/** How long `close` waits for a write that may be skipped, in milliseconds. */
const patienceAtClose = 5_000;

/** Timeout in milliseconds; compacting a million memories takes minutes. */
const maxMaintenanceMs = 60 * 60_000;

export interface MemoryStore extends ConsolidationAccess {
  /**
   * Writes memories; one whose id exists replaces that memory. A superseded memory that `get` returned stays superseded. If the model gives no
   * vectors, memories are written without them: searches find them by their words, and a later `optimize` or `reindex` embeds them.
   * @throws {MemoryError} `SecretInMemory` or `EmptyMemory` before anything is written.
   */
  remember(memories: Array<NewMemory | StoredMemory>): Promise<void>;
  /**
   * Changes an existing memory on top of concurrent changes; false if there is none, or no longer. A new text gets its vector as in `remember`.
   * @throws {MemoryError} `SecretInMemory` or `EmptyMemory` before anything is written.
   */
  change(id: string, changes: MemoryChange): Promise<boolean>;
  /** The memories that fit a question, best first. Sees everything written before the call. */
  search(query: MemoryQuery): Promise<FoundMemory[]>;
  /** Those of the ids that exist, including superseded and expired ones. */
  get(ids: string[]): Promise<StoredMemory[]>;
  /** Newest first, those of the same moment by id; `after`: only those that follow the cursor in this order. */
  list(filter: MemoryFilter, page?: MemoryPage): Promise<Memory[]>;
  count(filter: MemoryFilter): Promise<number>;
  /**
   * Removes memories for good; returns how many there were. No search, list or export returns them from then on. Their texts stay in the files until
   * maintenance has rewritten them and, an hour later, removed the versions before it.
   */
  forget(ids: string[]): Promise<number>;
  /** Marks memories as superseded by another one, which must exist. */
  supersede(ids: string[], by: string): Promise<void>;
  /**
   * Compacts the table, updates its indexes and creates those that it has grown large enough for; embeds some hundred memories that were written
   * without a vector. Searches go on meanwhile.
   */
  optimize(): Promise<{ rows: number; indexed: string[] }>;
  /**
   * Embeds the memories that have no vector of the present model; returns how many.
   * @throws {MemoryError} `NoEmbedder`
   */
  reindex(options?: {
    onProgress?: (done: number, of: number) => void;
    signal?: AbortSignal;
    /** Stops after this many. */
    most?: number;
  }): Promise<number>;
  stats(): Promise<MemoryStats>;
  close(): Promise<void>;
}

export interface MemoryStats extends TableStats {
  /** Absent if memories are found by their words only. */
  model?: string | undefined;
  /** Whether the settings name a model that is not available yet; the store looks for it at most once a minute. */
  awaitsModel: boolean;
  /** Memories without a vector of that model. */
  withoutVector: number;
}

/** Without an embedder, memories are found by their words only, until `reopen` provides one; it is called at most once a minute. */
export interface MemoryStoreOptions extends Pick<OpenedEmbedder, 'embedder' | 'reopen'> {
  /** A folder, or the address of an object store. */
  uri: string;
  /** Of the full-text index, such as `English`; fixed when the table is created. */
  language?: string | undefined;
  /** Called once for each cause that prevents searches by meaning, and when a missing model has become available. */
  onNotice?: ((text: string) => void) | undefined;
  /** Called when enough single writes have accumulated for `optimize` to be due. */
  onCompactionDue?: (() => void) | undefined;
}

/** Opens the memory store in LanceDB. */
export async function openMemoryStore(options: MemoryStoreOptions): Promise<MemoryStore> {
  const { language = 'English' } = options;
  const dimensions = options.embedder?.dimensions ?? defaultDimensions;
  const { table, searched, close } = await openTables(options.uri, { dimensions, language });
  const stems = createWordStems(searched);
  const notified = new Set<string>();
  const notify = (kind: string, notice: string) => {
    if (!notified.has(kind)) options.onNotice?.(notice);
    notified.add(kind);
  };
  const embedding = await createStoreEmbedder(table, options, notify);
  const compactionTrigger = createCompactionTrigger(
    () => table.countRows(),
    () => options.onCompactionDue?.(),
  );
  const recalls = createRecalls(table);

  return {
    ...createConsolidationAccess(table),
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
      if (text !== undefined) expectText({ text, expiresAt });
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
      const deps = { table: searched, stems, embedQuestion, now };
      const found = await search(deps, query).catch(async (error) => {
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
      await markForgotten(table); // even if none is found: a process may have been killed after it deleted them
      if (found) await compactionTrigger.written();
      return found;
    },
    async supersede(ids, by) {
      const [newer] = await readByIds(table, [by]);
      if (!newer) throw new Error(`Expected a memory "${by}" that replaces others, found none.`);
      await setSuperseded(table, ids, newer);
      await compactionTrigger.written();
    },
    async optimize() {
      await recalls.write();
      await embedding.embedLacking();
      const notRewritten = await rewriteForgotten(table).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      const cleanupOlderThan = new Date(Date.now() - versionsKeptMs);
      await write(() => table.optimize({ cleanupOlderThan }), maxMaintenanceMs);
      const indexed = await growIndexes(table);
      compactionTrigger.compacted();
      // Thrown last: constant writes by others may keep the rows from being rewritten, but must not keep searches from getting faster.
      if (notRewritten) throw notRewritten.error;
      return { rows: await table.countRows(), indexed };
    },
    async reindex(reindexOptions = {}) {
      const embedder = await embedding.look();
      if (!embedder) throw noEmbedder();
      return reindexTable(table, embedder, reindexOptions);
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
        // The searches have succeeded: a store that is busy or not writable does not make them fail.
        notify('recalls', `Could not record when memories were last recalled. ${String(error)}`);
      } finally {
        close();
      }
    },
  };
}
