import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { createChat, findChat } from '../../db/chats/chats.ts';
import { beginExchange, endExchange, keepExchange } from '../../db/chats/exchanges.ts';
import { chats } from '../../db/schema/chats.ts';
import { runs } from '../../db/schema/runs.ts';
import { insertMessage } from '../../db/transcript/transcript.ts';
import { seedProject } from '../client/seed-project.ts';
import { homeOfFile } from '../support/servers/home-of-file.ts';
import { runCli } from './run.ts';

const postgres = await homeOfFile();

beforeAll(async () => {
  const { database } = postgres;
  const chatId = 'chat-tea-aaaaaa';
  await createChat(database, { id: chatId, name: 'tea' });
  await createChat(database, { id: 'chat-empty-aaaaaa', name: 'empty' });
  await keepExchange(database, { chatId, id: 'm1', text: 'What do I drink?' });
  const begun = await beginExchange(database, { chatId, id: 'm1' }, { instructions: 'You chat.', model: 'm' });
  const runId = begun?.runId ?? '';
  const toolCalls = [{ id: 'c', name: 'search_memory', arguments: '{"query":"drink"}' }];
  const add = (number: number, turn: number, role: 'assistant' | 'tool', content: object) =>
    insertMessage(database, { runId, number, turn, role, content: { text: '', ...content } });
  await add(2, 1, 'assistant', { text: 'I look.', toolCalls });
  await add(3, 1, 'tool', { text: 'Tea.', toolCallId: 'c' });
  await add(4, 2, 'assistant', { text: 'You drink **tea**.' });
  await database.update(runs).set({ turns: 2 });
  await endExchange(database, { chatId, id: 'm1', status: 'ANSWERED' });
});

const run = (...parameters: string[]) => runCli(parameters, { environment: postgres.environment });

test('a conversation is found and shown with its tool calls', async () => {
  expect((await run('chats', 'list')).stdout).toMatch(/tea +1 /);
  expect(JSON.parse((await run('chats', 'list', '--json')).stdout)).toMatchObject([
    { name: 'tea', messages: 1 },
    { name: 'empty', messages: 0 },
  ]);
  expect((await run('chats', 'show', 'tea')).stdout).toMatch(
    /^> What do I drink\?\nI look\.\n. search_memory drink → Tea\.\nYou drink \*\*tea\*\*\.\n/,
  );
  expect(JSON.parse((await run('chats', 'show', 'tea', '--json')).stdout)).toMatchObject([
    { said: 'What do I drink?', answer: 'You drink **tea**.' },
  ]);
});

test('a conversation is named by its name, its id or the start of it, and its runs are listed', async () => {
  expect((await run('chats', 'show', 'tea')).stderr).toBe(
    'Runs, for `longhaul transcript <run>`:\n  chat-tea-aaaaaa-r1 (chat)\n',
  );
  const whole = await run('transcript', 'chat-tea-aaaaaa-r1');
  expect(whole).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('You drink **tea**.') });
  for (const name of ['tea', 'chat-tea-aaaaaa', 'chat-t', 'tea-aa']) {
    expect(await run('transcript', name)).toEqual(whole);
    expect((await run('chats', 'show', name)).stdout).toContain('You drink **tea**.');
  }
  expect(await run('transcript', 'nope')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('No run and no conversation is called "nope".'),
  });
  expect(await run('chats', 'show', 'chat-')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('"chat-" matches 2 chats: '),
  });
});

test('`sessions` lists conversations too', async () => {
  for (const [own, chats] of [
    [[], ['list']],
    [['--json'], ['list', '--json']],
    [['list'], ['list']],
    ...[
      ['show', 'tea'],
      ['show', 'tea', '--json'],
      ['branches', 'tea'],
      ['export', 'tea'],
    ].map((one) => [one, one]),
  ] as string[][][]) {
    const meant = await run('chats', ...(chats ?? []));
    expect(meant).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(own?.length ? '' : 'tea') });
    for (const command of ['sessions', 'chats']) expect(await run(command, ...(own ?? []))).toEqual(meant);
  }
  expect(await run('sessions', 'project-none')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('No project'),
  });
  expect(await run('sessions', 'rename', 'empty', 'hollow')).toMatchObject({ exitCode: 0 });
  expect(await run('sessions', 'delete', 'hollow')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--yes'),
  });
  expect(await run('sessions', 'rename', 'hollow', 'empty')).toMatchObject({ exitCode: 0 });
});

test('branches are listed', async () => {
  expect((await run('chats', 'branches', 'tea')).stdout).toMatch(
    /^ {2}branch +of +messages +begun +begins with\n\* r1 +1 +.* What do I drink\?\n$/,
  );
  expect((await run('chats', 'branches', 'empty')).stdout).toBe('There are no messages yet.\n');
  expect((await run('chats', 'show', 'tea', '--branch', 'r1')).stdout).toContain('You drink **tea**.');
});

test('an export has all messages', async () => {
  expect((await run('chats', 'export', 'tea')).stdout).toMatch(
    /^# tea\n\n## .* UTC\n\n> What do I drink\?\n\nI look\.\n\n`search_memory`[^:]*:\n\n```\n\{"query":"drink"\}\n```\n\n```\nTea\.\n```\n\nYou drink \*\*tea\*\*\.\n$/,
  );
  expect(JSON.parse((await run('chats', 'export', 'tea', '--format', 'json')).stdout)).toMatchObject({ name: 'tea' });
});

test('a conversation is kept after a no or Ctrl-C', async () => {
  for (const [typed, exitCode] of [
    ['n\n', 1],
    ['\u0003', 130],
  ] as const) {
    expect(await runCli(['sessions', 'delete', 'empty'], { environment: postgres.environment, typed })).toMatchObject({
      exitCode,
      stderr: 'Nothing was changed.\n',
    });
  }
  expect((await run('chats', 'list')).stdout).toContain('empty');
});

test.each([
  ['an unknown chat', ['chats', 'show', 'nope'], 'No chat has the name or id "nope". The latest: tea, empty.'],
  ['an unknown branch', ['chats', 'show', 'tea', '--branch', 'r7'], 'The chat "tea" has no branch "r7". It has r1.'],
  ['a name that is taken', ['chats', 'rename', 'empty', 'tea'], 'Another chat is called "tea".'],
  ['a name of nothing', ['chats', 'rename', 'empty', ''], 'Expected the name of a chat'],
  ['a deletion that nobody agrees to', ['chats', 'delete', 'tea'], 'Expected --yes'],
  ['a question without words', ['chat', '-m', ' '], 'Expected a question with -m or from a pipe'],
  [
    'a new chat of an old name',
    ['chat', '--new', '--session', 'tea', '-m', 'x'],
    'There is a conversation "tea" already.',
  ],
  ['a model of no name', ['chat', '--model', ' , ,', '-m', 'x'], 'Expected the name of a model'],
  ['two conversations', ['chat', '--continue', '--new', '-m', 'x'], 'Expected --continue alone'],
])('%s', async (_, parameters, message) => {
  expect(await run(...parameters)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
});

test('a renamed conversation keeps its messages', async () => {
  expect(await run('chats', 'rename', 'tea', 'drinks')).toMatchObject({ exitCode: 0 });
  expect((await run('chats', 'show', 'drinks')).stdout).toContain('You drink **tea**.');
});

test('/new in a conversation without memory starts one without memory', async () => {
  const environment = { ...postgres.environment, TERM: 'dumb' };
  await createChat(postgres.database, { id: 'chat-loud-aaaaaa', name: 'loud' });
  const typed = '/new quiet\n/new\n/sessions loud\n/new\n/exit\n';
  const { stdout } = await runCli(['chat', '--no-memory'], { environment, typed });
  expect(stdout.match(/\[[^[\]]*\]$/gm)).toEqual([
    '[a new conversation, without memory; /help shows the commands]',
    '[quiet, without memory]',
    '[a new conversation, without memory]',
    '[loud]',
    '[a new conversation]',
  ]);
});

test('/new in a conversation with an own agent keeps that agent', async () => {
  const environment = { ...postgres.environment, TERM: 'dumb' };
  const folder = join(postgres.home, 'planner');
  mkdirSync(folder);
  writeFileSync(join(folder, 'agent.md'), '---\nname: planner\n---\nYou plan.\n');
  const titles = async (typed: string, ...parameters: string[]) =>
    (await runCli(parameters, { environment, typed: `${typed}/exit\n`, folder: postgres.home })).stdout.match(
      /\[[^[\]]*\]$/gm,
    );
  await createChat(postgres.database, { id: 'chat-planned-aaaaaa', name: 'planned', memory: false });
  await titles('', 'run', './planner', '--session', 'planned');
  expect(await titles('/new\n/sessions loud\n/new\n/sessions planned\n/new other\n', 'run', './planner')).toEqual([
    '[a new conversation, with planner; /help shows the commands]',
    '[a new conversation, with planner]',
    '[loud]',
    '[a new conversation]',
    '[planned, with planner, without memory]',
    '[other, with planner, without memory]',
  ]);
  expect(await titles('', 'chat', '--session', 'planned')).toEqual([
    expect.stringMatching(/^\[planned, with planner, /),
  ]);
  expect(await titles('', 'chat', '--session', 'planned', '--agent', 'default')).toEqual([
    '[planned, without memory; /help shows the commands]',
  ]);
  expect((await findChat(postgres.database, 'planned'))?.agent).toBeNull();
  await titles('', 'chat', '--session', 'planned', '--agent', './planner');
  await postgres.database.update(chats).set({ lastUsedAt: new Date() }).where(eq(chats.name, 'planned'));
  expect(await titles('', 'chat', '--continue')).toEqual([expect.stringMatching(/^\[planned, with planner, /)]);
  expect(await titles('', 'chat', '--continue', '--agent', 'default')).toEqual([expect.not.stringMatching(/planner/)]);
});

test('an export is safe on a terminal and exact in a file', async () => {
  const { database } = postgres;
  await createChat(database, { id: 'chat-bell-aaaaaa', name: 'bell' });
  await keepExchange(database, { chatId: 'chat-bell-aaaaaa', id: 'm2', text: 'Ring \u0007 it.' });
  expect((await run('chats', 'export', 'bell')).stdout).toContain('> Ring \u0007 it.\n');
  const { environment } = postgres;
  const { stdout } = await runCli(['chats', 'export', 'bell'], { environment, typed: '' });
  expect(stdout).toContain('> Ring ␇ it.\n');
});

test('a conversation that does not exist is no project that has to be named', async () => {
  await seedProject(postgres.database, 'project-one-aaaaaa');
  await seedProject(postgres.database, 'project-two-bbbbbb');
  for (const name of ['nope', 's1-work']) {
    expect(await run('transcript', name)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /^No run and no conversation is called .* A short id, such as s1-work, needs its project after it\.\n$/,
      ),
    });
  }
});
