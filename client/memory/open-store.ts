import type { Configuration } from '../../config/configuration.ts';
import { localModelFolder } from '../../db/memory/embedding/local-model.ts';
import { openEmbedder } from '../../db/memory/embedding/open-embedder.ts';
import { type MemoryStore, openMemoryStore } from '../../db/memory/memory-store.ts';

/** Opens the configured store with its embedding model; without a model, `onNotice` is told why. */
export async function openStore(
  { home, memory, model }: Configuration,
  onNotice: (text: string) => void = () => {},
): Promise<MemoryStore> {
  const { notice, ...opened } = await openEmbedder(memory.modelFolder ?? localModelFolder(home), model);
  if (notice) onNotice(notice);
  return openMemoryStore({ uri: memory.uri, language: memory.language, ...opened, onNotice });
}
