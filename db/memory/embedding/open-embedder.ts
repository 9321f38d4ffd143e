import type { ModelSettings } from '../../../config/model-settings.ts';
import { parseModelName } from '../../../models/model-name.ts';
import { embeddingModelOf } from '../../../models/model-of-role.ts';
import { cacheEmbeddings } from './cached-embedder.ts';
import type { Embedder } from './embedder.ts';
import { hasLocalModel } from './local-model.ts';
import { openOpenAiEmbedder } from './openai-embedder.ts';

export interface OpenedEmbedder {
  /** Absent where none can be had: search is by words only then. */
  embedder?: Embedder;
  /** Why, and what to do; for a person, to be said once. */
  notice?: string;
}

/**
 * The embedder that the settings name: `LONGHAUL_MODEL_EMBEDDING=provider/model`, `none`, or `local` (the default), whose files are in
 * the folder. One that does not answer is no failure.
 */
export async function openEmbedder(folder: string, settings: ModelSettings): Promise<OpenedEmbedder> {
  const named = embeddingModelOf(settings).value;
  if (named === 'none') return {};
  if (named === 'local') {
    if (hasLocalModel(folder)) return openLocalEmbedder(folder);
    return {
      notice: `Memories are found by their words only: the local embedding model is not in ${folder}. 'longhaul setup' fetches it; LONGHAUL_MODEL_EMBEDDING names another.`,
    };
  }
  const { provider, model } = parseModelName(named, Object.keys(settings.providers));
  try {
    const settingsOf = settings.providers[provider] ?? { headers: false };
    return { embedder: cacheEmbeddings(await openOpenAiEmbedder({ name: provider, model, ...settingsOf })) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      notice: `Memories are found by their words only: LONGHAUL_MODEL_EMBEDDING=${named} does not answer. ${why}`,
    };
  }
}

/** Its runtime has no program for every kind of machine, such as Macs with an Intel processor. */
async function openLocalEmbedder(folder: string): Promise<OpenedEmbedder> {
  try {
    const { createLocalEmbedder } = await import('./local-embedder.ts');
    return { embedder: cacheEmbeddings(createLocalEmbedder(folder)) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      notice: `Memories are found by their words only: the local embedding model does not run on this machine; LONGHAUL_MODEL_EMBEDDING names another. ${why}`,
    };
  }
}
