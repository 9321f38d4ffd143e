import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandName } from '../../config/command-name.ts';
import { embeddingModelOf } from '../../domain/model/model-of-role.ts';
import { hasLocalModel, localModel, localModelFolder } from '../../models/embedding/local-model.ts';
import { hasLocalRuntime, localRuntimeMissing } from '../../models/embedding/local-runtime.ts';
import { fetchModelFile } from '../embedding/fetch-model.ts';
import { isSetupError, SetupError } from '../setup-error.ts';
import type { SetupStep } from '../setup-step.ts';

/** Milliseconds for which an unavailable model is not requested again: a closed network stays closed, and each try takes up to minutes. */
const retryMs = 24 * 60 * 60_000;

/**
 * Puts the model that embeds memories into our cache, unless the settings name another; returns its folder. Longhaul runs without it, so an
 * unavailable model is reported but is no failure.
 */
export const embeddingModelStep: SetupStep<string | undefined> = {
  name: 'Embeddings',
  async check({ configuration, environment, afresh }) {
    const named = embeddingModelOf(configuration.model).value;
    if (named !== 'local') return { result: undefined, what: `${named}, by the settings` };
    if (!hasLocalRuntime()) {
      return {
        result: undefined,
        what: `not available: memories are found by their words only, since ${localRuntimeMissing}`,
      };
    }
    const given = configuration.memory.modelFolder;
    if (given !== undefined) {
      if (hasLocalModel(given)) return { result: given, what: `${localModel.name} at EMBEDDING_MODEL_PATH` };
      throw new SetupError(
        'EmbeddingModelUnavailable',
        `Expected ${localModel.files.map(({ name }) => name).join(' and ')} at EMBEDDING_MODEL_PATH=${given}. Correct the setting or unset it.`,
      );
    }
    const folder = localModelFolder(configuration.home);
    if (hasLocalModel(folder)) return { result: folder, what: `${localModel.name} in Longhaul's cache` };
    const failedMs = statSync(failureFile(configuration.home), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (afresh || Date.now() - failedMs > retryMs) return undefined;
    return {
      result: undefined,
      what: `not available: memories are found by their words only. Setup retries once a day; \`${commandName(environment)} setup\` retries now`,
    };
  },
  async run({ configuration, signal }, progress) {
    const folder = localModelFolder(configuration.home);
    const onProgress = (what: string) => progress.update(what);
    const sources = new Set<string>();
    try {
      for (const file of localModel.files) {
        if (existsSync(join(folder, file.name))) continue;
        sources.add((await fetchModelFile(file, folder, { onProgress, signal })).from);
      }
    } catch (error) {
      if (!isSetupError(error, 'EmbeddingModelUnavailable')) throw error;
      writeFileSync(failureFile(configuration.home), `${error.message}\n`, { mode: 0o600 });
      return {
        result: undefined,
        what: `not available: memories are found by their words only. ${error.message.replaceAll(/\s*\n\s*/g, '; ')}`,
      };
    }
    rmSync(failureFile(configuration.home), { force: true });
    return { result: folder, what: `${localModel.name} from ${[...sources].join(' and ')}` };
  },
};

/** Holds what the sources said when the model was unavailable; its modification time says when that was. */
function failureFile(home: string): string {
  return join(home, 'cache', 'embedding-model-failure');
}
