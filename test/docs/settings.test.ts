import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Configuration } from '../../config/configuration.ts';
import { loadConfiguration } from '../../config/load-configuration.ts';
import { packageRoot } from '../../config/package-root.ts';
import { blockWith, readBlocks } from '../support/document-blocks.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-settings-page-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** The settings of the block of a page with these words, as a settings file. */
async function settingsOf(page: string, words: string): Promise<Configuration> {
  writeFileSync(join(home, 'longhaul.config.ts'), blockWith(await readBlocks(page), words));
  return loadConfiguration({ LONGHAUL_HOME: home }, () => import('../../models/index.ts'));
}

test('the settings page shows a settings file', async () => {
  mkdirSync(join(home, 'prompts'));
  const { model, agents } = await settingsOf('configuration.md', 'modelSettings:');
  expect(model.models.at(-1)).toMatchObject({ roles: { code: 'anthropic/claude-opus-5, openai/gpt-5' } });
  expect(agents.promptsFolder).toBe(join(home, 'prompts'));
});

test('the page about rules shows rules that can match', async () => {
  const { agents } = await settingsOf('permissions.md', 'defineConfig');
  expect(agents.permissions.rules).toHaveLength(6);
});

test("the page about models shows providers of one's own beside the example", async () => {
  cpSync(join(packageRoot(), 'examples', 'own-provider'), home, { recursive: true });
  const { model } = await settingsOf('models.md', 'createFetchProvider');
  expect(model.own.map(({ name }) => name)).toEqual(['groq', 'mine']);
});
