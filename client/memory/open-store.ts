import type { Configuration } from '../../config/configuration.ts';
import { localModelFolder } from '../../db/memory/embedding/local-model.ts';
import { openEmbedder } from '../../db/memory/embedding/open-embedder.ts';
import { type MemoryStore, openMemoryStore } from '../../db/memory/memory-store.ts';

/** Opens the store that the configuration names, with its embedding model; `onNotice` is told where there is none. */
export async function openStore(
  { home, memory, model }: Configuration,
  onNotice: (text: string) => void = () => {},
): Promise<MemoryStore> {
  const { notice, ...opened } = await openEmbedder(memory.modelFolder ?? localModelFolder(home), model);
  if (notice) onNotice(notice);
  return openMemoryStore({ uri: memory.uri, language: memory.language, ...opened, onNotice });
}
