import type { Configuration } from '../../config/configuration.ts';
import { type MemoryStore, openMemoryStore } from '../../db/memory/memory-store.ts';
import { localModelFolder } from '../../models/embedding/local-model.ts';
import { openEmbedder } from '../../models/embedding/open-embedder.ts';

/** Opens the configured store with its embedding model; without a model, `onNotice` is told why. */
export async function openStore(
  { home, memory, model }: Configuration,
  onNotice: (text: string) => void = () => {},
): Promise<MemoryStore> {
  const { notice, ...opened } = await openEmbedder(memory.modelFolder ?? localModelFolder(home), model);
  if (notice) onNotice(notice);
  return openMemoryStore({ uri: memory.uri, language: memory.language, ...opened, onNotice });
}
