import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createChatActivities } from '../../../activities/chat/chat.ts';
import { recallForChat } from '../../../activities/chat/recall-for-chat.ts';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { loadPrompts } from '../../../agents/load-prompts.ts';
import { sayInstead } from '../../../db/chats/branches.ts';
import { createChat, setChatAgent } from '../../../db/chats/chats.ts';
import { beginExchange, endExchange, keepExchange } from '../../../db/chats/exchanges.ts';
import { readHistory } from '../../../db/chats/read-history.ts';
import { readRecentExchanges } from '../../../db/chats/read-recent.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import { readMessages } from '../../../db/transcript/transcript.ts';
import type { ChatAgent } from '../../../domain/project/settings.ts';
import { createHashingEmbedder } from '../../support/memory/hashing-embedder.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();

describe('a message', () => {
  const skillsFolder = mkdtempSync(join(tmpdir(), 'longhaul-skills-'));
  afterAll(() => rmSync(skillsFolder, { recursive: true }));
  const activities = createChatActivities({
    database,
    prompts: loadPrompts('/nowhere'),
    skillsFolder,
    modelOf: () => 'test/chat',
    agents: {
      maxTurns: {},
      stuck: { sameCalls: 4 },
      chat: { toolCalls: 30, tokens: 100_000, idleMinutes: 10, extractMemories: false },
    },
  } as unknown as Dependencies); // of the rest nothing is asked

  const now = /\n\n\[It is (Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d \S+\.\]$/;

  test.each([
    ['of the shipped agent', undefined],
    ["of an agent of one's own", { name: 'planner', hash: 'h', instructions: 'You plan.', limits: {} } as ChatAgent],
  ])("the model %s is told the day, apart from the person's words", async (who, agent) => {
    const chatId = `chat-${who.length}`;
    await createChat(database, { id: chatId, name: who, memory: false });
    if (agent) await setChatAgent(database, chatId, agent);
    for (const id of ['one', 'two']) {
      await activities.keepChatMessage({ chatId, id, text: `Remind me on Friday, ${id}.` });
      const begun = await activities.beginExchange({ chatId });
      expect(begun.turn).toMatchObject({ id, limits: { modelCalls: 15, toolCalls: 30, stuck: { sameCalls: 4 } } });
      expect(await activities.beginExchange({ chatId })).toEqual(begun);
      await activities.endExchange({ chatId, id, status: 'ANSWERED' });
    }
    const runId = `${chatId}-r1`;
    const stored = (await readMessages(database, runId)).map(({ content }) => content);
    expect(stored.slice(1)).toEqual(
      ['one', 'two'].map((id) => ({
        text: expect.stringMatching(new RegExp(`^Remind me on Friday, ${id}\\.${now.source}`)),
        said: `Remind me on Friday, ${id}.`,
      })),
    );
    expect(stored[0]?.text).not.toMatch(/\d{4}-\d\d-\d\d/);
    const said = ['Remind me on Friday, one.', 'Remind me on Friday, two.'];
    expect((await readHistory(database, chatId)).map((one) => one.said)).toEqual(said);
    expect((await readRecentExchanges(database, { chatId, limit: 5 })).map((one) => one.said)).toEqual(said);
  });

  test('an agent is told of the skills of the data folder, unless its list of tools leaves out reading them', async () => {
    mkdirSync(join(skillsFolder, 'pack'));
    writeFileSync(join(skillsFolder, 'pack', 'SKILL.md'), '---\nname: pack\ndescription: Packs bags.\n---\nFold.\n');
    const agent = {
      name: 'planner',
      hash: 'h',
      folder: '/nowhere',
      instructions: 'You plan.',
      limits: {},
      madeTools: [],
    };
    const told = async (chatId: string, own?: ChatAgent) => {
      await createChat(database, { id: chatId, name: chatId, memory: false });
      if (own) await setChatAgent(database, chatId, own);
      await activities.keepChatMessage({ chatId, id: 'one', text: 'Pack.' });
      await activities.beginExchange({ chatId });
      return (await readMessages(database, `${chatId}-r1`))[0]?.content.text;
    };
    expect(await told('chat-skills')).toContain('- pack: Packs bags.');
    expect(await told('chat-skills-own', agent)).toContain('- pack: Packs bags.');
    expect(await told('chat-skills-listed', { ...agent, tools: ['read_skill'] })).toContain('- pack: Packs bags.');
    expect(await told('chat-skills-none', { ...agent, tools: ['list_tasks'] })).not.toContain('pack');
  });
});

describe('recall for a chat', () => {
  let folder: string;
  let memory: MemoryStore;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
    memory = await openMemoryStore({ uri: folder, embedder: createHashingEmbedder() });
    const known = (id: string, text: string, sessionId?: string) => ({
      ...{ id, text, kind: 'fact', scope: sessionId ? ('session' as const) : ('global' as const) },
      ...(sessionId && { sessionId }),
    });
    await memory.remember([
      known('tea', 'Ada drinks green tea in the morning.'),
      known('other', 'Green tea is what Bob drinks in the morning.', 'chat-b'),
      known('long', `Green tea in the morning ${'and so on '.repeat(400)}`),
      known('far', 'The deployment runs on Fridays.'),
    ]);
  });
  afterAll(async () => {
    await memory.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const recall = (text: string) => recallForChat({ memory } as Dependencies, { chatId: 'chat-a', runId: null, text });

  test('recall finds related memories of this chat, within its size limit', async () => {
    const recalled = await recall('Which green tea in the morning?');
    expect(recalled?.recollections).toMatchObject([
      { id: 'tea', kind: 'fact', why: 'both', score: expect.any(Number) },
    ]);
    expect(recalled?.text).toContain('id tea) Ada drinks green tea in the morning.');
    expect(recalled?.text).toContain('the person did not say it');
    expect(await recall('Nothing of the kind')).toBeUndefined();
  });

  test('a search that hangs or fails does not hold up the message, and is reported', async () => {
    const searchWith = (search: () => Promise<never>) =>
      recallForChat({ memory: { search } } as unknown as Dependencies, { chatId: 'chat-a', runId: null, text: 'tea' });
    const since = performance.now();
    const late = await searchWith(() => new Promise(() => {}));
    expect(performance.now() - since).toBeLessThan(30_000);
    expect(late).toMatchObject({ recollections: [], failure: 'Memory search took longer than 3 s.' });
    expect(late?.text).toContain('could not search its memories');
    expect(await searchWith(() => Promise.reject(new Error('No such table.')))).toMatchObject({
      failure: 'No such table.',
    });
  });

  test('notes of another branch are neither recalled nor counted', async () => {
    const chatId = 'chat-c';
    await createChat(database, { id: chatId, name: 'c' });
    for (const id of ['one', 'two']) {
      await keepExchange(database, { chatId, id, text: id });
      await beginExchange(database, { chatId, id }, { instructions: 'You chat.', model: 'm' });
      await endExchange(database, { chatId, id, status: 'FAILED', reason: 'It is a test.' });
    }
    const note = (id: string, message?: number) => ({
      ...{ id, text: `Black coffee at noon, ${id}`, kind: 'fact', scope: 'session' as const, sessionId: chatId },
      source: { run: 'chat-c-r1', message },
    });
    await memory.remember([
      ...Array.from({ length: 20 }, (_, index) => note(`left ${index}`, 2)),
      note('before', 1),
      note('of long ago'),
      {
        id: 'for all',
        text: 'Ada drinks black coffee, strong and without sugar, at noon.',
        kind: 'fact',
        scope: 'global',
      },
    ]);
    const recalledIn = async (runId: string) => {
      const recalled = await recallForChat({ database, memory } as Dependencies, {
        chatId,
        runId,
        text: 'Black coffee at noon?',
      });
      return recalled?.recollections.map(({ id }) => id) ?? [];
    };
    expect((await recalledIn('chat-c-r1')).join()).toContain('left');
    await sayInstead(database, { chatId, instead: 'two', id: 'new', text: 'new' });
    expect((await recalledIn('chat-c-r2')).sort()).toEqual(['before', 'for all', 'of long ago']);
  });

  test('memories already in the conversation do not use up recall', async () => {
    const chatId = 'chat-d';
    await createChat(database, { id: chatId, name: 'd' });
    const places = ['Kenya', 'Peru', 'Laos', 'Malta', 'Chile', 'Nepal', 'Ghana', 'Japan', 'Italy', 'Wales'];
    await memory.remember(
      places.map((place) => ({
        ...{ id: place, text: `Ada sailed the red boat to ${place}.`, kind: 'fact' },
        ...{ scope: 'session' as const, sessionId: chatId },
      })),
    );
    const say = async (id: string) => {
      await keepExchange(database, { chatId, id, text: id });
      const dependencies = { database, memory } as Dependencies;
      const runId = id === 'one' ? null : `${chatId}-r1`;
      const recalled = await recallForChat(dependencies, { chatId, runId, text: 'Where did Ada sail the red boat?' });
      await beginExchange(database, { chatId, id }, { instructions: 'You chat.', model: 'm', recalled });
      await endExchange(database, { chatId, id, status: 'ANSWERED' });
      return recalled?.recollections.map((one) => one.id) ?? [];
    };
    const [first, second] = [await say('one'), await say('two')];
    expect(first).toHaveLength(6);
    expect([...first, ...second].sort()).toEqual(places.sort());
  });
});
