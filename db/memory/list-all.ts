import type { Memory, MemoryCursor, MemoryFilter } from './memory.ts';
import type { MemoryStore } from './memory-store.ts';

const memoriesOfPage = 500;

/** Every memory of a filter, the newest first, a page at a time; one that is forgotten meanwhile may be missing. */
export async function* listAll(store: Pick<MemoryStore, 'list'>, filter: MemoryFilter): AsyncGenerator<Memory, void> {
  let after: MemoryCursor | undefined;
  do {
    const page = await store.list(filter, { limit: memoriesOfPage, after });
    yield* page;
    const last = page.length === memoriesOfPage ? page.at(-1) : undefined;
    after = last && { createdAt: last.createdAt.getTime(), id: last.id };
  } while (after);
}
