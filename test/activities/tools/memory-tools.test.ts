import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createMemoryTools } from '../../../activities/tools/memory-tools.ts';
import type { ToolContext } from '../../../activities/tools/tool.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { createHashingEmbedder } from '../../support/hashing-embedder.ts';

const folders: string[] = [];
let memory: MemoryStore;
let tools: ReturnType<typeof createMemoryTools>;

beforeEach(async () => {
  const uri = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  folders.push(uri);
  memory = await openMemoryStore({ uri, embedder: createHashingEmbedder() });
  tools = createMemoryTools({ memory } as Dependencies); // these tools look into no other store
});
afterEach(() => memory.close());
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

let calls = 0;

function inChat(chatId: string): ToolContext {
  calls += 1;
  const { signal } = new AbortController();
  const run = { chatId, runId: `${chatId}-r1`, role: 'chat' as const, maxTurns: 15 };
  return { run, id: `${chatId}-r1.${calls}.0`, cancel: signal, detach: signal };
}

const write = (chatId: string, content: string, more: { scope?: 'session'; kind?: 'fact' } = {}) =>
  tools.write_memory({ content, kind: 'preference', tags: [], ...more }, inChat(chatId));
const search = async (chatId: string, query: string) => (await tools.search_memory({ query }, inChat(chatId))).text;

test('what is for one chat would be found in another, and what is for all in none', async () => {
  await write('chat-a', 'Ada drinks tea.');
  await write('chat-a', 'This chat is about tea gardens.', { scope: 'session' });
  expect(await search('chat-a', 'tea')).toMatch(/drinks tea[\s\S]*gardens|gardens[\s\S]*drinks tea/);
  expect(await search('chat-b', 'tea')).toContain('drinks tea');
  expect(await search('chat-b', 'tea gardens')).not.toContain('gardens');
});

test('what is known would be written again without a word', async () => {
  const first = await write('chat-a', 'Ada drinks tea.');
  const again = await write('chat-b', 'Ada drinks tea.');
  const id = /Remembered as (\S+)\.$/.exec(first.text)?.[1];
  expect(again.text).toBe(`This is known already, as memory ${id}.`);
  await write('chat-a', 'The limit is 5 MB', { kind: 'fact' });
  expect((await write('chat-a', 'The limit is 50 MB', { kind: 'fact' })).text).toMatch(/It takes the place of /);
});

test('a secret would be remembered', async () => {
  const written = await write('chat-a', `The key is sk-${'a'.repeat(40)}.`);
  expect(written).toMatchObject({ failed: true, text: expect.stringContaining('an OpenAI key') });
  expect(await memory.count({ scope: 'everything', history: true })).toBe(0);
});

test('what is forgotten would still be found, or be gone for good, or be what another chat keeps for itself', async () => {
  const { text } = await write('chat-a', 'Ada drinks tea.');
  const id = /as (\S+)\.$/.exec(text)?.[1] ?? '';
  await write('chat-b', 'A secret garden.', { scope: 'session' });
  const [other] = await memory.list({ scope: { sessionId: 'chat-b', reach: 'own' } });
  expect(await tools.forget_memory({ id: other?.id ?? '' }, inChat('chat-a'))).toMatchObject({ failed: true });
  expect(await tools.forget_memory({ id: 'nope' }, inChat('chat-a'))).toMatchObject({ failed: true });
  expect((await tools.forget_memory({ id }, inChat('chat-a'))).text).toContain('Forgotten: "Ada drinks tea."');
  expect(await search('chat-a', 'tea')).toBe('Nothing that fits is remembered.');
  expect(await memory.get([id])).toMatchObject([{ text: 'Ada drinks tea.' }]);
});
