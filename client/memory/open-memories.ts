import type { Configuration } from '../../config/configuration.ts';
import type { ConsolidationAccess } from '../../db/memory/consolidation/consolidation-access.ts';
import type { Memory, MemoryCursor, MemoryFilter, NewMemory, Reader } from '../../db/memory/memory.ts';
import type { MemoryStore } from '../../db/memory/memory-store.ts';
import { type Learned, learn } from '../../db/memory/quality/learn.ts';
import { importMemories } from './import-memories.ts';
import { openStore } from './open-store.ts';

const memoriesOfPage = 500;

/** The memory store, as programs and the CLI use it, without what only a consolidation needs of it. It needs no server. */
export interface Memories extends Omit<MemoryStore, keyof ConsolidationAccess> {
  /** Writes a memory unless the same is known to the reader; a fact takes the place of those that it contradicts. */
  learn(memory: NewMemory, reader: Reader): Promise<Learned>;
  /** All that the filter means, each once, without their vectors. What is written meanwhile may be left out. */
  export(filter: MemoryFilter): AsyncGenerator<Memory>;
  /**
   * Writes what `export` gave, by their ids; returns how many. `onNotice` is told of those left out since they have no text.
   * @throws {InvalidInputError} naming the first that is no memory; those before it are written.
   */
  import(memories: AsyncIterable<unknown> | Iterable<unknown>): Promise<number>;
}

/** Opens the store that the configuration names, with its embedding model; `onNotice` is told where there is none. */
export async function openMemories(
  configuration: Configuration,
  onNotice: (text: string) => void = () => {},
): Promise<Memories> {
  const store = await openStore(configuration, onNotice);
  return {
    ...store,
    learn: (one, reader) => learn(store, one, reader),
    async *export(filter) {
      let after: MemoryCursor | undefined;
      do {
        const page = await store.list(filter, { limit: memoriesOfPage, after });
        yield* page;
        const last = page.length === memoriesOfPage ? page.at(-1) : undefined;
        after = last && { createdAt: last.createdAt.getTime(), id: last.id };
      } while (after);
    },
    import: (memories) => importMemories(store, memories, onNotice),
  };
}
