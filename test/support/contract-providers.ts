import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfigFile } from '../../config/load-configuration.ts';
import { packageRoot } from '../../config/package-root.ts';
import type { ModelProvider } from '../../domain/model/model-provider.ts';
import { createAnthropic } from '../../models/anthropic/anthropic.ts';
import { createOpenAiChat } from '../../models/openai/openai-chat.ts';
import { createOpenAiResponses } from '../../models/openai/openai-responses.ts';

/** The providers that have to keep the contract: the three that ship, and the example's own, loaded from a `longhaul.config.ts`. */
export const providerNames = ['OpenAI chat', 'OpenAI responses', 'Anthropic', "a longhaul.config.ts's own"] as const;

export type ProviderName = (typeof providerNames)[number];

/** The providers that need their reasoning sent back. */
export const carrying: readonly ProviderName[] = ['OpenAI responses', 'Anthropic'];

/** The providers at an address that ends in `/v1`; each gives up after `idleMs` of silence. */
export async function contractProviders(url: string, idleMs: number): Promise<Record<ProviderName, ModelProvider>> {
  const openAi = { name: 'openai', baseUrl: url, headers: true, idleMs };
  const anthropic = { name: 'anthropic', apiKey: 'k', baseUrl: url.replace(/\/v1$/, ''), headers: true, idleMs };
  return {
    'OpenAI chat': createOpenAiChat(openAi),
    'OpenAI responses': createOpenAiResponses(openAi),
    Anthropic: createAnthropic(anthropic),
    "a longhaul.config.ts's own": await providerOfFile(url, idleMs),
  };
}

async function providerOfFile(baseUrl: string, idleMs: number): Promise<ModelProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-config-'));
  try {
    const file = join(folder, 'longhaul.config.ts');
    const factory = join(packageRoot(), 'examples', 'own-provider', 'fetch-provider.ts');
    writeFileSync(
      file,
      `import { defineConfig } from 'longhaul/config';
import { createFetchProvider } from ${JSON.stringify(factory)};
const options: { name: string; headers: boolean } = { name: 'mine', headers: true };
export default defineConfig({ providers: [createFetchProvider({ ...options, baseUrl: '${baseUrl}', idleMs: ${idleMs} })] });`,
    );
    const { config } = await loadConfigFile(file, () => import('../../models/index.ts'));
    return config.providers?.[0] as ModelProvider;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
