import { ConfigurationError } from '../domain/configuration-error.ts';
import type { Sourced } from '../domain/model/layer.ts';
import type { LonghaulConfig } from './define-config.ts';

/** Maximum tokens of a request, by `provider/model`; `default` applies to models that Longhaul does not know. */
export type ContextWindows = Record<string, Sourced<number>>;

/** The smallest context window, in tokens, that an agent can work with. */
export const smallestWindow = 2_000;

/**
 * Context windows from the environment (`ollama/qwen3=32768, 65536`; a bare number applies to unknown models) and from the config file. For each
 * model, the environment takes precedence.
 * @throws {ConfigurationError}
 */
export function readContextWindows(
  text: string | undefined,
  file: LonghaulConfig['contextWindows'] = {},
): ContextWindows {
  const windows: ContextWindows = {};
  for (const [name, value] of Object.entries(file)) {
    if (value !== undefined) windows[name] = { value, source: 'file' };
  }
  for (const entry of text?.split(',') ?? []) {
    const [, name = 'default', digits = ''] = /^\s*(?:(.*\S)\s*=)?\s*(\d+)\s*$/.exec(entry) ?? [];
    const value = Number(digits);
    if (value < smallestWindow) {
      throw new ConfigurationError(
        `Expected LONGHAUL_CONTEXT_WINDOWS to be numbers of tokens from ${smallestWindow} by model, such as "ollama/qwen3=32768, vllm/Qwen/Qwen3=131072", or one number for the models that Longhaul does not know; got "${entry.trim()}".`,
      );
    }
    windows[name] = { value, source: 'environment' };
  }
  return windows;
}
