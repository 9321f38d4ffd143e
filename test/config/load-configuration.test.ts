import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadConfiguration } from '../../config/load-configuration.ts';
import { ModelError } from '../../domain/model/model-error.ts';
import { defaultToolSettings } from '../../domain/tool/tool-settings.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-config-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(home, name), text);
const load = (environment: Record<string, string> = {}) =>
  loadConfiguration({ LONGHAUL_HOME: home, ...environment }, () => import('../../models/index.ts'));

/** A TypeScript file that needs compiling: it has types, an enum and an import of another TypeScript file. */
const typed = (turns: number) => `
import { defineConfig, type LonghaulConfig } from 'longhaul/config';
import { ModelError } from 'longhaul/models';
import { prompts } from './parts/prompts.ts';
enum Models { Best = 'mine/best' }
const stuck: LonghaulConfig['stuck'] = { sameCalls: 4, idleTurns: undefined };
export default defineConfig({
  models: { default: Models.Best },
  maxTurns: { code: ${turns} },
  budgets: { project: { usd: 20 } },
  providers: [{ name: 'mine', async complete() { throw new ModelError('busy', { code: 'ModelOverloaded' }); } }],
  stuck,
  prompts,
});`;

test("TypeScript, imports and a provider's own errors work in the settings file", async () => {
  mkdirSync(join(home, 'parts'));
  write('parts/prompts.ts', "export const prompts: string = 'my-prompts';");
  write('longhaul.config.ts', typed(80));
  const { model, agents, configFile } = await load();
  expect(configFile).toBe(join(home, 'longhaul.config.ts'));
  const chat = {
    toolCalls: 30,
    tokens: 100_000,
    idleMinutes: 10,
    network: 'packages',
    extractMemories: true,
  };
  expect(agents).toEqual({
    maxTurns: { code: 80 },
    budgets: { project: { usd: 20 } },
    stuck: { sameCalls: 4 },
    chat,
    tools: defaultToolSettings,
    folders: [join(home, 'agents')],
    promptsFolder: join(home, 'my-prompts'),
    permissions: { rules: [], requests: { defaultAnswer: 'no' } },
    review: false,
    steeringFiles: [],
    mutationSeconds: 60,
    minMutationScore: 0,
  });
  const request = { model: 'best', messages: [], tools: [], labels: {}, signal: new AbortController().signal };
  await expect(model.own[0]?.complete(request)).rejects.toBeInstanceOf(ModelError);

  write('longhaul.config.ts', typed(90));
  expect((await load()).agents.maxTurns.code).toBe(90); // not the copy loaded before
});

test.each([
  [
    'longhaul.config.js',
    "import { defineConfig } from 'longhaul/config'; export default defineConfig({ prompts: '/p' });",
  ],
  ['longhaul.config.mjs', "export default { prompts: '/p' };"],
  ['longhaul.config.json', '{ "prompts": "/p" }'],
])('%s is found and read', async (name, text) => {
  write(name, text);
  expect((await load()).agents.promptsFolder).toBe('/p');
});

test.each([
  ['models: { code: 7 }', 'models.code: expected "provider/model", or a list of such names, got 7'],
  ["models: { code: ['a/b', ''] }", `models.code: expected "provider/model", or a list of such names, got ["a/b",""]`],
  ["models: { coder: 'a/b' }", 'models: expected only known settings, got "coder"'],
  ['maxTurns: { code: 0 }', 'maxTurns.code: expected number to be >=1, got 0'],
  ["maxTurns: { code: 'many' }", "maxTurns.code: expected number, got 'many'"],
  [
    "modelSettings: { default: { reasoningEffort: 'extreme' } }",
    `modelSettings.default.reasoningEffort: expected one of "low"|"medium"|"high", got 'extreme'`,
  ],
  [
    "providers: [{ name: 'Mine', apiKey: 'secret' }]",
    'providers.0: expected a ModelProvider: { name, complete(request, onDelta) }, its name of a-z, 0-9, "-" and "_", got { name, apiKey }',
  ],
  ['chat: { network: true }', 'chat.network: expected none, packages, all, or host names such as api.example.org'],
  ["registries: ['https://npm.example.org']", 'registries.0: expected a host name such as npm.example.org'],
  ["modles: { code: 'a/b' }", 'expected only known settings, got "modles"'],
])('{ %s } is refused with its file, its path, what was expected and what came', async (setting, complaint) => {
  write('longhaul.config.ts', `export default { ${setting} };`);
  const failure = await load().catch((error: Error) => error);
  expect(failure).toMatchObject({ name: 'ConfigurationError' });
  const [first, second] = (failure as Error).message.split('\n');
  expect(first).toBe(`${join(home, 'longhaul.config.ts')} has invalid settings.`);
  expect(second).toContain(`  ${complaint}`);
});

test.each([
  ['export default {', /Could not load .*longhaul\.config\.ts: .*Unexpected token/s],
  ["throw new Error('no key is set');", /Could not load .*longhaul\.config\.ts: no key is set/],
  [
    "import 'no-such-package';",
    /Could not load .*longhaul\.config\.ts: Cannot find (module|package) 'no-such-package'/,
  ],
  ["export const models = { code: 'a/b' };", /Expected .*longhaul\.config\.ts to export its settings by default/],
])('a file of %j is refused', async (text, message) => {
  write('longhaul.config.ts', text);
  await expect(load()).rejects.toThrow(message);
});

test('two settings files are refused', async () => {
  write('longhaul.config.ts', 'export default {};');
  write('longhaul.config.json', '{}');
  await expect(load()).rejects.toThrow(/Expected one settings file .*, found 2: .*\.ts, .*\.json/);
});

test('the file named by LONGHAUL_CONFIG takes precedence, and must exist', async () => {
  write('longhaul.config.ts', "export default { prompts: '/home' };");
  write('other.ts', "export default { prompts: '/other' };");
  expect((await load({ LONGHAUL_CONFIG: join(home, 'other.ts') })).agents.promptsFolder).toBe('/other');
  await expect(load({ LONGHAUL_CONFIG: join(home, 'none.ts') })).rejects.toThrow(/LONGHAUL_CONFIG names at .*none\.ts/);
});

test('a settings file in the current folder is not run', async () => {
  const before = process.cwd();
  const project = mkdtempSync(join(tmpdir(), 'longhaul-project-'));
  try {
    process.chdir(project);
    writeFileSync('longhaul.config.ts', "throw new Error('run on the host');");
    expect((await load()).configFile).toBeUndefined();
  } finally {
    process.chdir(before);
    rmSync(project, { recursive: true });
  }
});
