import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../../activities/dependencies.ts';
import { createMemoryTools } from '../../../../activities/tools/kinds/memory-tools.ts';
import type { ToolContext } from '../../../../activities/tools/tool.ts';
import { withoutFences } from '../../../../agents/fence.ts';
import { sayInstead } from '../../../../db/chats/branches.ts';
import { createChat } from '../../../../db/chats/chats.ts';
import { beginExchange, endExchange, keepExchange } from '../../../../db/chats/exchanges.ts';
import { type MemoryStore, openMemoryStore } from '../../../../db/memory/memory-store.ts';
import { createHashingEmbedder } from '../../../support/memory/hashing-embedder.ts';
import { databaseOfFile } from '../../../support/servers/test-database.ts';

const { database } = await databaseOfFile();

const folders: string[] = [];
let memory: MemoryStore;
let tools: ReturnType<typeof createMemoryTools>;

beforeEach(async () => {
  const uri = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  folders.push(uri);
  memory = await openMemoryStore({ uri, embedder: createHashingEmbedder() });
  tools = createMemoryTools({ database, memory } as Dependencies); // no other dependency is used
});
afterEach(() => memory.close());
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

let calls = 0;

beforeAll(async () => {
  for (const id of ['chat-a', 'chat-b']) {
    await createChat(database, { id, name: id });
    await say(id, 'one');
  }
});

/** A message of a person that gets no answer: the first of a chat has message number 1, the second 2. */
async function say(chatId: string, id: string): Promise<void> {
  await keepExchange(database, { chatId, id, text: id });
  await beginExchange(database, { chatId, id }, { instructions: 'You chat.', model: 'm' });
  await endExchange(database, { chatId, id, status: 'FAILED', reason: 'It is a test.' });
}

function inChat(chatId: string, run: { runId?: string; parentRunId?: string } = {}, messageNumber = 1): ToolContext {
  calls += 1;
  const { signal } = new AbortController();
  const called = {
    owner: { kind: 'chat' as const, id: chatId },
    runId: `${chatId}-r1`,
    role: 'chat' as const,
    maxTurns: 15,
    ...run,
  };
  return { run: called, id: `${called.runId}.${calls}.0`, messageNumber, cancel: signal, detach: signal };
}

const write = (chatId: string, content: string, more: { scope?: 'session'; kind?: 'fact' } = {}) =>
  tools.write_memory({ content, kind: 'preference', tags: [], ...more }, inChat(chatId));
const search = async (chatId: string, query: string) => (await tools.search_memory({ query }, inChat(chatId))).text;

test("a chat's memories are found in that chat, global ones everywhere", async () => {
  await write('chat-a', 'Ada drinks tea.');
  await write('chat-a', 'This chat is about tea gardens.', { scope: 'session' });
  expect(await search('chat-a', 'tea')).toMatch(/drinks tea[\s\S]*gardens|gardens[\s\S]*drinks tea/);
  expect(await search('chat-b', 'tea')).toContain('drinks tea');
  expect(await search('chat-b', 'tea gardens')).not.toContain('gardens');
});

test('a memory names when and where it was learned', async () => {
  const { text } = await write('chat-a', 'Ada drinks tea.');
  const id = /as (\S+)\.$/.exec(text)?.[1] ?? '';
  const source = { id: 'docs/tea.md' };
  await memory.remember([{ id: 'of-a-file', kind: 'document', scope: 'global', text: 'Tea is a plant.', source }]);
  const day = new Date().toISOString().slice(0, 10);
  expect(
    withoutFences(await search('chat-b', 'tea'))
      .split('\n')
      .sort(),
  ).toEqual([
    `- (document, ${day}, by an agent, from docs/tea.md, id of-a-file) Tea is a plant.`,
    `- (preference, ${day}, by an agent, from chat-a-r1, id ${id}) Ada drinks tea.`,
  ]);
});

test('a known memory is reported as known', async () => {
  const first = await write('chat-a', 'Ada drinks tea.');
  const again = await write('chat-b', 'Ada drinks tea.');
  const id = /Remembered as (\S+)\.$/.exec(first.text)?.[1];
  expect(again.text).toBe(`Already known as memory ${id}.`);
  await write('chat-a', 'The limit is 5 MB', { kind: 'fact' });
  expect((await write('chat-a', 'The limit is 50 MB', { kind: 'fact' })).text).toMatch(/It replaces /);
});

test('a secret is not remembered', async () => {
  const written = await write('chat-a', `The key is sk-${'a'.repeat(40)}.`);
  expect(written).toMatchObject({ failed: true, text: expect.stringContaining('an OpenAI key') });
  expect(await memory.count({ scope: 'everything', history: true })).toBe(0);
});

test("a forgotten memory is not found, can be restored, and only one's own can be forgotten", async () => {
  const { text } = await write('chat-a', 'Ada drinks tea.');
  const id = /as (\S+)\.$/.exec(text)?.[1] ?? '';
  await write('chat-b', 'A secret garden.', { scope: 'session' });
  const [other] = await memory.list({ scope: { sessionId: 'chat-b', reach: 'own' } });
  expect(await tools.forget_memory({ id: other?.id ?? '' }, inChat('chat-a'))).toMatchObject({ failed: true });
  expect(await tools.forget_memory({ id: 'nope' }, inChat('chat-a'))).toMatchObject({ failed: true });
  expect((await tools.forget_memory({ id }, inChat('chat-a'))).text).toContain('Forgotten: "Ada drinks tea."');
  expect(await search('chat-a', 'tea')).toBe('No relevant memories.');
  expect(await memory.get([id])).toMatchObject([{ text: 'Ada drinks tea.' }]);
});

test('a memory of another branch does not count as known', async () => {
  const chatId = 'chat-c';
  await createChat(database, { id: chatId, name: chatId });
  await say(chatId, 'one');
  await say(chatId, 'two');
  const note = (content: string, runId: string, messageNumber: number) => {
    const kind = 'fact' as const;
    const told = { content, kind, tags: [], scope: 'session' as const };
    return tools.write_memory(told, inChat(chatId, { runId }, messageNumber));
  };
  const find = async (query: string, run: { runId: string; parentRunId?: string }) =>
    (await tools.search_memory({ query }, inChat(chatId, run))).text;
  const [first, left, current] = ['chat-c-r1', 'chat-c-r1', 'chat-c-r2'];
  await note('The limit is 5 MB', first, 1);
  expect((await note('The limit is 50 MB', left, 3)).text).toMatch(/It replaces/);
  await note('The garden is behind the house', left, 3);
  expect(await find('limit', { runId: left })).toMatch(/^- \(fact, [^)]*\) The limit is 50 MB$/m);

  await sayInstead(database, { chatId, instead: 'two', id: 'instead', text: 'two' });
  expect(await find('limit', { runId: current })).toMatch(/^- \(fact, [^)]*\) The limit is 5 MB$/m);
  expect((await note('The garden is behind the house', current, 3)).text).toMatch(/^Remembered as /);
  expect(await find('garden', { runId: current })).toMatch(/^- \(fact, [^)]*\) The garden is behind the house$/m);
  expect(await find('garden', { runId: 'chat-c-r2.1.0', parentRunId: current })).toContain('behind the house');
  expect((await note('The limit is 7 MB', current, 3)).text).toMatch(/It replaces/);
  expect(await find('limit', { runId: current })).toMatch(/^- \(fact, [^)]*\) The limit is 7 MB$/m);
});

test('what is written after a page or a made tool was read says so', async () => {
  const { insertToolCall } = await import('../../../../db/transcript/transcript.ts');
  await createChat(database, { id: 'chat-d', name: 'chat-d' });
  await say('chat-d', 'one');
  const call = async (position: number, name: string) => {
    const at = { startedAt: new Date(), endedAt: new Date() };
    await insertToolCall(database, {
      runId: 'chat-d-r1',
      turn: 1,
      position,
      name,
      failed: false,
      resultHash: 'x',
      ...at,
    });
  };
  const originOf = async (content: string) => {
    const context = inChat('chat-d');
    await tools.write_memory({ content, kind: 'fact', scope: 'global', tags: [] }, context);
    const [memoryOf] = await memory.get([context.id]);
    return memoryOf?.origin;
  };
  await call(0, 'run_command');
  expect(await originOf('Ada likes tea')).toBe('agent');
  await call(1, 'look_up_rates');
  expect(await originOf('A euro is 1.1 dollars')).toBe('tool');
  await call(2, 'fetch_url');
  expect(await originOf('Berlin has 3.9 million inhabitants')).toBe('page');
  const { text } = await tools.search_memory({ query: 'inhabitants of Berlin' }, inChat('chat-d'));
  expect(text).toContain('by an agent that had read web pages');
});
