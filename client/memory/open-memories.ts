import type { Configuration } from '../../config/configuration.ts';
import { localModelFolder } from '../../db/memory/embedding/local-model.ts';
import { openEmbedder } from '../../db/memory/embedding/open-embedder.ts';
import type { Memory, MemoryFilter, NewMemory, Reader } from '../../db/memory/memory.ts';
import { type MemoryStore, openMemoryStore } from '../../db/memory/memory-store.ts';
import { type Learned, learn } from '../../db/memory/quality/learn.ts';
import { parseMemory } from './parse-memory.ts';

const memoriesOfPage = 500;

/** The memory store, as programs and the CLI use it. It needs no server. */
export interface Memories extends MemoryStore {
  /** Writes a memory unless the same is known to the reader; a fact takes the place of those that it contradicts. */
  learn(memory: NewMemory, reader: Reader): Promise<Learned>;
  /** All that the filter means, without their vectors. */
  export(filter: MemoryFilter): AsyncGenerator<Memory>;
  /**
   * Writes what `export` gave, by their ids; returns how many.
   * @throws {InvalidInputError} naming the first that is no memory; those before it are written.
   */
  import(memories: AsyncIterable<unknown> | Iterable<unknown>): Promise<number>;
}

/** Opens the store that the configuration names, with its embedding model; `onNotice` is told where there is none. */
export async function openMemories(
  { home, memory, model }: Configuration,
  onNotice: (text: string) => void = () => {},
): Promise<Memories> {
  const { embedder, notice } = await openEmbedder(memory.modelFolder ?? localModelFolder(home), model);
  if (notice) onNotice(notice);
  const store = await openMemoryStore({ uri: memory.uri, language: memory.language, embedder, onNotice });

  async function write(batch: Memory[]): Promise<void> {
    await store.remember(batch);
    for (const { id, supersededBy } of batch) {
      if (supersededBy !== undefined && (await store.get([supersededBy])).length)
        await store.supersede([id], supersededBy);
    }
  }

  return {
    ...store,
    learn: (one, reader) => learn(store, one, reader),
    async *export(filter) {
      for (let offset = 0; ; offset += memoriesOfPage) {
        const page = await store.list(filter, { limit: memoriesOfPage, offset });
        yield* page;
        if (page.length < memoriesOfPage) return;
      }
    },
    async import(memories) {
      let batch: Memory[] = [];
      let count = 0;
      for await (const one of memories) {
        batch.push(parseMemory(one, count + 1));
        count += 1;
        if (batch.length < 100) continue;
        await write(batch);
        batch = [];
      }
      await write(batch);
      return count;
    },
  };
}
