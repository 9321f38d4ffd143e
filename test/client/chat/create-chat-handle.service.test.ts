import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { agentFile } from '../../../agents/own-agents/parse-agent.ts';
import type { ChatHandle } from '../../../client/chat/chat-handle.ts';
import { type ChatDependencies, createChatHandle } from '../../../client/chat/create-chat-handle.ts';
import { createDatabaseAccess, type DatabaseAccess } from '../../../client/connection/database-access.ts';
import { createTemporalAccess, type TemporalAccess } from '../../../client/connection/temporal-access.ts';
import { ClientError, readConfiguration } from '../../../client/index.ts';
import { findChat, listChats } from '../../../db/chats/chats.ts';
import { deleteChat } from '../../../db/chats/delete-chat.ts';
import { beginExchange, endExchange } from '../../../db/chats/exchanges.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/test-database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { eventsOf } from '../../support/work/events-of.ts';

const home = mkdtempSync(join(tmpdir(), 'longhaul-chat-'));
let postgres: TestDatabase;
let database: DatabaseAccess;
let temporal: TemporalAccess;
let deps: ChatDependencies;

/** Fails at once: the real one gives an address where nobody is five seconds. */
const away: TemporalAccess = {
  use: async () => {
    throw new ClientError('TemporalUnreachable', 'Away.');
  },
  close: async () => {},
};

beforeAll(async () => {
  postgres = await createTestDatabase();
  database = createDatabaseAccess(postgres.url);
  const configuration = readConfiguration({ LONGHAUL_HOME: home });
  temporal = createTemporalAccess({ configuration, environment: {}, address: () => '127.0.0.1:9' }); // nobody is there
  deps = {
    database,
    temporal: away,
    taskQueue: 'chats',
    home,
    findAgent: async (reference) => reference,
    environment: {},
    settings: async () => configuration,
  };
});
afterAll(async () => {
  await temporal?.close();
  await database?.close();
  await postgres?.stop();
  rmSync(home, { recursive: true, force: true });
});

const namesOf = async () => (await listChats(postgres.database)).map(({ name }) => name).sort();

test('a message stored while Temporal is away is reported as stored', async () => {
  const chat = createChatHandle({ ...deps, temporal }, { name: 'away' });
  const error = await chat.say('Are you there?', { id: 'm1' }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'MessageWaits' });
  expect(String(error)).toMatch(
    /Your message is stored.*do not send it again\. Expected a Temporal server at 127\.0\.0\.1:9/,
  );
  const leaving = new AbortController();
  const heard: string[] = [];
  const onTrouble = (trouble: ClientError | undefined) => {
    heard.push(trouble?.code ?? 'back');
    leaving.abort();
  };
  const events: unknown[] = [];
  for await (const event of chat.send('Are you there?', { id: 'm1', signal: leaving.signal, onTrouble }))
    events.push(event);
  expect([heard, events]).toEqual([['TemporalUnreachable'], []]);
  expect(await chat.history()).toMatchObject([{ id: 'm1', status: 'WAITING' }]);
});

test('a missed wake-up still ends a pause and puts urgent messages first', async () => {
  const woken: unknown[] = [];
  let isAway = true;
  const client = {
    workflow: {
      signalWithStart: async (_: string, { signalArgs }: { signalArgs: unknown[] }) => woken.push(...signalArgs),
    },
  };
  const use = async (work: (one: typeof client) => Promise<unknown>) => {
    if (isAway) throw new ClientError('TemporalUnreachable', 'Away.');
    return work(client);
  };
  const chat = createChatHandle(
    { ...deps, temporal: { ...temporal, use } as unknown as TemporalAccess },
    { name: 'late' },
  );
  await expect(chat.say('At once.', { id: 'm1', now: true })).rejects.toMatchObject({ code: 'MessageWaits' });
  isAway = false;
  await chat.wake();
  await chat.wake();
  expect(woken).toEqual([{ message: 'm1', goesOn: true, now: 'm1' }, {}]);
});

test('unnamed conversations with the same first words stay separate', async () => {
  const before = await namesOf();
  const ended = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((file) =>
      createChatHandle(deps, { name: undefined }).say(`Sum this file up now: ${file}`),
    ),
  );
  for (const one of ended) expect(one).toMatchObject({ reason: { code: 'MessageWaits' } });
  const slug = 'sum-this-file-up-now';
  expect(await namesOf()).toEqual([...before, slug, `${slug}-2`, `${slug}-3`, `${slug}-4`].sort());
});

test('messages sent at once through one handle are one conversation', async () => {
  const before = await namesOf();
  const chat = beginUnanswered(undefined);
  const said = ['This is one half.', 'This is the other half.'];
  await Promise.all(said.map((text) => chat.say(text)));
  expect(await namesOf()).toEqual([...before, chat.name].sort());
  expect((await chat.history()).map((one) => one.said).sort()).toEqual(said);
});

test('a conversation whose name was taken can start under another name', async () => {
  await beginUnanswered('wanted').say('First.');
  const late = beginUnanswered('wanted', { fresh: true });
  await expect(late.say('Late.')).rejects.toMatchObject({ code: 'ChatNameUnusable' });
  await late.rename('still free');
  await late.say('Late.');
  expect((await findChat(postgres.database, 'still free'))?.id).toBe(late.id);
});

test('a new conversation never continues one that another client just started', async () => {
  const begin = (options: { fresh?: boolean; memory?: boolean }) =>
    createChatHandle(deps, { name: 'taken', ...options });
  const [shared, fresh, quiet] = [begin({}), begin({ fresh: true }), begin({ memory: false })]; // before there is one
  await expect(begin({}).say('First.')).rejects.toMatchObject({ code: 'MessageWaits' });
  await expect(fresh.say('Mine alone.')).rejects.toMatchObject({ code: 'ChatNameUnusable' });
  await expect(quiet.say('Leave no trace.')).rejects.toThrow(
    /Another command just created the conversation "taken" with memory/,
  );
  await expect(shared.say('Second.')).rejects.toMatchObject({ code: 'MessageWaits' });
  expect((await shared.history()).map(({ said }) => said)).toEqual(['First.', 'Second.']);
});

test('a conversation opened before its start shows all messages', async () => {
  const [speaking, watching] = [1, 2].map(() => createChatHandle(deps, { name: 'opened-twice' }));
  if (!speaking || !watching) throw new Error('Expected two handles.');
  const leaving = new AbortController();
  const heard: string[] = [];
  const watched = (async () => {
    for await (const event of watching.watch({ from: 'open', signal: leaving.signal })) {
      if (event.type !== 'message.received') continue;
      heard.push(event.text);
      leaving.abort();
    }
  })();
  const said = `Sum it up:\n\n${'line\n'.repeat(200)}`;
  await expect(speaking.say(said)).rejects.toMatchObject({ code: 'MessageWaits' });
  await watched;
  expect(heard).toEqual([said]);
  expect(await watching.history()).toMatchObject([{ said }]);
  const fresh = createChatHandle(deps, { name: 'opened-twice', fresh: true });
  expect(await fresh.history()).toEqual([]);
});

test('an invalid model name is refused', async () => {
  const chat = createChatHandle(deps, { name: 'modelled' });
  for (const model of ['', ',', ' , ,', 'ollama/'])
    await expect(chat.setModel(model)).rejects.toThrow('Expected the name of a model, such as openai/gpt-5');
  await chat.setModel('ollama/qwen3:8b');
  await chat.say('Hello', { id: 'm-model' }).catch(() => {}); // Temporal is away
  await expect(chat.setModel(',')).rejects.toMatchObject({ code: 'InvalidInput' });
  const stored = (await listChats(postgres.database)).find(({ name }) => name === 'modelled');
  expect(stored).toMatchObject({ model: 'ollama/qwen3:8b' });
  await chat.setModel(null);
});

/** Its workflow is woken, and nobody answers. */
function beginUnanswered(name: string | undefined, { fresh = false } = {}): ChatHandle {
  return createChatHandle({ ...deps, temporal: { ...temporal, use: async () => undefined as never } }, { name, fresh });
}

test('waiting in a deleted conversation ends', async () => {
  const chat = beginUnanswered('deleted');
  await chat.say('Hello?');
  const watched = eventsOf(chat.watch());
  await deleteChat(postgres.database, chat.id ?? '');
  await expect(watched).rejects.toMatchObject({ code: 'UnknownChat' });
});

test('waiting for an answer in a deleted conversation ends', async () => {
  const chat = beginUnanswered('unanswered');
  let kept = false;
  const answer = (async () => {
    for await (const { type } of chat.send('Hello?')) kept ||= type === 'message.received';
  })();
  answer.catch(() => {});
  await waitFor('the message to be stored', () => kept);
  await deleteChat(postgres.database, chat.id ?? '');
  await expect(answer).rejects.toThrow(/^The conversation "chat-unanswered-.{6}" was deleted\./);
});

test('a fork of a conversation with a long name gets a name', async () => {
  const name = `${'a'.repeat(69)}😀${'b'.repeat(9)}`;
  const chat = beginUnanswered(name);
  await chat.say('Hello?', { id: 'm1' });
  const chatId = chat.id ?? '';
  await beginExchange(postgres.database, { chatId, id: 'm1' }, { instructions: 'You chat.', model: 'm' });
  await endExchange(postgres.database, { chatId, id: 'm1', status: 'STOPPED' });
  const cut = `${'a'.repeat(69)}-fork`;
  expect((await chat.fork()).name).toBe(cut);
  expect((await chat.fork()).name).toBe(`${cut}-2`);
});

test('a chat can go from its own agent back to the assistant, and take the agent along', async () => {
  const folder = mkdtempSync(join(home, 'counter-'));
  writeFileSync(join(folder, agentFile), '---\nname: counter\ntools: []\n---\nYou count.\n');
  const [chat, later] = [beginUnanswered('counted'), beginUnanswered('counted')];
  expect(await chat.agent()).toBeNull();
  await chat.setAgent(folder);
  await later.setAgent(null); // before there is a chat, and after the other one
  expect(await chat.agent()).toMatchObject({ name: 'counter', folder });
  await chat.say('Hello?');
  expect(await chat.agent()).toMatchObject({ name: 'counter' });
  rmSync(folder, { recursive: true });
  const other = beginUnanswered('counted-too');
  await other.setAgent(await chat.agent());
  await other.say('Hello?');
  expect((await findChat(postgres.database, 'counted-too'))?.agent).toEqual(await chat.agent());
  await later.say('Hello?');
  expect(await chat.agent()).toBeNull();
  await other.setAgent(null);
  expect((await findChat(postgres.database, 'counted-too'))?.agent).toBeNull();
});
