import type { ModelSettings } from '../../config/settings/model-settings.ts';
import { isLoopback } from '../../domain/addresses.ts';
import { parseModelName, providerNamesOf } from '../../domain/model/model-name.ts';
import type { ModelCallSettings } from '../../domain/model/model-provider.ts';
import { createModels } from '../../models/create-models.ts';

export interface ModelCheck {
  /** `provider/model`. */
  name: string;
  /** Undefined if it was not called. */
  answers?: boolean;
  /** Milliseconds until its answer; without an answer, `problem` says why. */
  durationMs?: number;
  problem?: string;
}

/** Milliseconds for a model to say one word; a local one may have to be loaded first. */
const timeoutMs = { away: 30_000, here: 120_000 };

/** Asks models for one word, each once for the same settings; those of a local provider one after the other, since they may not fit into memory side by side. */
export function createModelCheck(model: ModelSettings) {
  const models = createModels(model);
  const checks = new Map<string, Promise<ModelCheck>>();
  /** By local provider, the last check. */
  const last = new Map<string, Promise<unknown>>();

  return function check(name: string, settings: ModelCallSettings): Promise<ModelCheck> {
    const key = JSON.stringify([name, settings]);
    const known = checks.get(key) ?? inTurn(name, settings);
    checks.set(key, known);
    return known;
  };

  function inTurn(name: string, settings: ModelCallSettings): Promise<ModelCheck> {
    const { provider } = parseModelName(name, providerNamesOf(model));
    if (!isHere(model.providers[provider]?.baseUrl)) return askForOneWord(name, settings, timeoutMs.away);
    const asked = (last.get(provider) ?? Promise.resolve()).then(() => askForOneWord(name, settings, timeoutMs.here));
    last.set(provider, asked);
    return asked;
  }

  async function askForOneWord(name: string, settings: ModelCallSettings, most: number): Promise<ModelCheck> {
    const since = performance.now();
    const signal = AbortSignal.timeout(most);
    try {
      await models.complete(name, {
        ...settings,
        messages: [{ role: 'user', content: { text: 'Answer with the one word: ready' } }],
        tools: [],
        labels: { Role: 'check', Turn: '1' },
        signal,
      });
      return { name, answers: true, durationMs: Math.round(performance.now() - since) };
    } catch (error) {
      if (signal.aborted) return { name, answers: false, problem: `no answer within ${most / 1000} s` };
      return { name, answers: false, problem: error instanceof Error ? error.message : String(error) };
    }
  }
}

function isHere(baseUrl: string | undefined): boolean {
  return baseUrl !== undefined && isLoopback(new URL(baseUrl).hostname);
}
