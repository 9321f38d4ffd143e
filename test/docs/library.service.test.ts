import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { packageRoot } from '../../config/package-root.ts';
import * as models from '../../models/index.ts';
import * as library from '../../runtime/index.ts';
import { replayCassette } from '../../testing/index.ts';
import { blockWith, readBlocks, runBlock } from '../support/document-blocks.ts';
import { smallProject } from '../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../support/stack/service-stack.ts';

let stack: ServiceStack;
let modules: Record<string, object>;
const printed: unknown[] = [];

beforeAll(async () => {
  const { entries } = smallProject([{ name: 'haiku' }]);
  const chat = { role: 'chat', after: 'What grows in shade?', turns: [{ text: 'Ferns.' }] };
  stack = await startServiceStack({ script: { entries: [...entries, chat] } });
  const { environment } = stack;
  modules = {
    longhaul: {
      ...library,
      connectLonghaul: () => library.connectLonghaul({ environment }),
      loadConfiguration: () => library.loadConfiguration(environment),
    },
    'longhaul/models': models,
  };
  jest.spyOn(console, 'log').mockImplementation((...words: unknown[]) => void printed.push(...words));
});
afterAll(() => stack?.stop());

async function runBlockOf(page: string, words: string, names: Record<string, unknown> = {}) {
  return runBlock(blockWith(await readBlocks(page), words), names, modules);
}

test('the README starts a project and prints its report', async () => {
  await runBlockOf('../README.md', 'startProject');
  expect(printed.at(-1)).toContain('1 of 1 feature');
});

test('a program talks with the assistant', async () => {
  const words = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  await runBlockOf('chat.md', "longhaul.chat('garden')", { longhaul: stack.longhaul });
  expect(words.mock.calls.map(([text]) => text).join('')).toBe('Ferns.');
  words.mockRestore();
});

test('a program keeps and finds memories', async () => {
  const { memories } = await runBlockOf('memory.md', 'openMemories');
  expect(memories).toBeDefined();
  const again = await library.openMemories(await library.loadConfiguration(stack.environment), () => {});
  expect(await again.search({ query: 'upload limit', scope: {} })).toMatchObject([{ id: 'limit' }]);
  await again.close();
});

test('a recorded exchange is replayed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-cassette-'));
  const recorded = readFileSync(join(packageRoot(), 'test', 'models', 'cassettes', 'llama-server.yaml'), 'utf8');
  writeFileSync(join(folder, 'one.yaml'), `---\n${recorded.split(/^---$/m)[1]}`);
  modules['longhaul/testing'] = { replayCassette: () => replayCassette(join(folder, 'one.yaml')) };
  const messages = [{ role: 'user', content: { text: 'Answer with the one word: ready' } }];
  const request = { model: 'agent-toy', messages, tools: [], labels: {}, signal: new AbortController().signal };
  expect(await runBlockOf('models.md', 'replayCassette', { request })).toMatchObject({ answer: { text: 'ready' } });
  rmSync(folder, { recursive: true });
});

test('a program sets what it needs before it connects', async () => {
  const { longhaul } = await runBlockOf('configuration.md', 'configure(');
  expect(await (longhaul as library.Longhaul).listProjects()).toHaveLength(1);
  await (longhaul as library.Longhaul).close();
});
