import type { OpenedEmbedder } from '../../domain/memory/embedder.ts';
import { parseModelName } from '../../domain/model/model-name.ts';
import { embeddingModelOf, type ModelNames } from '../../domain/model/model-of-role.ts';
import type { ModelsOptions } from '../create-models.ts';
import { cacheEmbeddings } from './cached-embedder.ts';
import type { EmbeddingCall } from './embedding-call.ts';
import { hasLocalModel } from './local-model.ts';
import { hasLocalRuntime, localRuntimeMissing } from './local-runtime.ts';

const withoutVectors = 'Memories are found by their words only: ';

/**
 * Opens the embedder that the settings name: `LONGHAUL_MODEL_EMBEDDING=provider/model`, `none`, or `local` (the default), whose files are in the
 * folder. A model that does not answer is not an error. `onCall` receives every HTTP call.
 */
export async function openEmbedder(
  folder: string,
  settings: Pick<ModelNames, 'models'> & Pick<ModelsOptions, 'providers' | 'recordTo'>,
  onCall?: (call: EmbeddingCall) => void,
): Promise<OpenedEmbedder> {
  const named = embeddingModelOf(settings).value;
  if (named === 'none') return {};
  const reopen = () => openEmbedder(folder, settings, onCall);
  if (named === 'local') {
    if (!hasLocalRuntime()) return { notice: `${withoutVectors}${localRuntimeMissing}` };
    if (hasLocalModel(folder)) return openLocalEmbedder(folder);
    return {
      reopen,
      notice: `${withoutVectors}the local embedding model is not in ${folder}. 'longhaul setup' downloads it; LONGHAUL_MODEL_EMBEDDING selects another.`,
    };
  }
  const { provider, model } = parseModelName(named, Object.keys(settings.providers));
  try {
    const settingsOf = settings.providers[provider] ?? { headers: false };
    const { openOpenAiEmbedder } = await import('./openai-embedder.ts');
    const { recorderOf } = await import('../cassette/record-exchanges.ts');
    const options = { name: provider, model, ...settingsOf, fetch: recorderOf(settings) };
    return { embedder: cacheEmbeddings(await openOpenAiEmbedder(options, onCall)) };
  } catch (error) {
    return {
      reopen,
      notice: `${withoutVectors}LONGHAUL_MODEL_EMBEDDING=${named} does not answer. ${messageOf(error)}`,
    };
  }
}

/** Its runtime does not support every platform: not Macs with an Intel processor, for example. */
async function openLocalEmbedder(folder: string): Promise<OpenedEmbedder> {
  try {
    const { createLocalEmbedder } = await import('./local-embedder.ts');
    return { embedder: cacheEmbeddings(createLocalEmbedder(folder)) };
  } catch (error) {
    return {
      notice: `${withoutVectors}the local embedding model does not run on this machine; LONGHAUL_MODEL_EMBEDDING selects another. ${messageOf(error)}`,
    };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
