import type { Configuration } from '../../config/configuration.ts';
import type { ConsolidationAccess } from '../../db/memory/consolidation/consolidation-access.ts';
import { listAll } from '../../db/memory/list-all.ts';
import type { Memory, MemoryFilter, NewMemory, Reader } from '../../db/memory/memory.ts';
import type { MemoryStore } from '../../db/memory/memory-store.ts';
import { type Learned, learn } from '../../db/memory/quality/learn.ts';
import { importMemories } from './import-memories.ts';
import { openStore } from './open-store.ts';

/** The memory store for programs and the CLI, without what only a consolidation needs. It needs no server. */
export interface Memories extends Omit<MemoryStore, keyof ConsolidationAccess> {
  /** Writes a memory unless the reader can already see the same one; a fact replaces those that it contradicts. */
  learn(memory: NewMemory, reader: Reader): Promise<Learned>;
  /** Every memory that matches the filter, once each, without its vector. Memories written during the export may be missing. */
  export(filter: MemoryFilter): AsyncGenerator<Memory>;
  /**
   * Writes memories that `export` returned under their ids; returns how many.
   * @throws {ClientError} `InvalidInput` naming the first value that is not a memory; those before it are written.
   */
  import(memories: AsyncIterable<unknown> | Iterable<unknown>): Promise<number>;
}

/** Opens the configured store with its embedding model; without a model, `onNotice` is told why. */
export async function openMemories(
  configuration: Configuration,
  onNotice: (text: string) => void = () => {},
): Promise<Memories> {
  const store = await openStore(configuration, onNotice);
  return {
    ...store,
    learn: (one, reader) => learn(store, one, reader),
    export: (filter) => listAll(store, filter),
    import: (memories) => importMemories(store, memories),
  };
}
