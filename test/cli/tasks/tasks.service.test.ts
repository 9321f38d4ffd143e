import { expect, test } from '@jest/globals';
import { createChat } from '../../../db/chats/chats.ts';
import { createTask, listTasks } from '../../../db/tasks/tasks.ts';
import { homeOfFile } from '../../support/servers/home-of-file.ts';
import { runCli } from '../run.ts';

const postgres = await homeOfFile();

const run = (...parameters: string[]) => runCli(['tasks', ...parameters], { environment: postgres.environment });
const prints = async (...parameters: string[]) => (await run(...parameters)).stdout;

test('tasks are added, ordered by priority and due day, and done after those that they depend on', async () => {
  expect(await prints()).toBe('There is no open task. `longhaul tasks add <title>` adds one.\n');
  expect(await prints('add', 'Buy paint')).toBe('1. Buy paint (not_started, priority 5)\n');
  await run('add', 'Paint', '--after', '1', '--due', '2026-03-01', '--priority', '9', '--description', 'White.');
  expect(await prints('list')).toBe(
    '2. Paint (not_started, priority 9, due 2026-03-01, after 1)\n1. Buy paint (not_started, priority 5)\n',
  );
  expect(await run('done', '2')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Task 2 depends on open tasks: 1 (Buy paint, not_started).'),
  });
  expect(await prints('done', '1')).toBe('1. Buy paint (complete, priority 5)\n');
  expect(await prints('status', '2', 'in_progress', '--note', 'First coat.')).toContain('(in_progress,');
  expect(await prints('show', '2')).toBe(
    '2. Paint (in_progress, priority 9, due 2026-03-01, after 1)\nWhite.\nNote: First coat.\n',
  );
  expect(JSON.parse(await prints('list', '--status', 'complete', '--json'))).toMatchObject([{ number: 1 }]);
});

test('due days and dependencies can be changed and removed, but no task depends on itself', async () => {
  expect(await prints('due', '2', 'none')).toContain('2. Paint (in_progress, priority 9, after 1)');
  expect(await prints('due', '2', '2026-04-01')).toContain('due 2026-04-01');
  expect(await run('depends', '1', '2')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Task 1 cannot depend on itself, directly or by others.'),
  });
  expect(await prints('depends', '2', 'none')).not.toContain('after');
});

test.each([
  [['due', '1', '2026-02-30'], 'Expected a day such as 2026-03-01.'],
  [['depends', '1', 'x'], 'Expected numbers of tasks, such as 1,2.'],
  [['add', 'x', '--priority', '11'], 'Expected a number from 1 to 10 (10 is the most urgent).'],
  [['add', ' '], 'Expected 1 to 200 characters, got 0.'],
  [['done', '99'], 'There is no task 99.'],
])('bad input is refused: %j', async (parameters, says) => {
  expect(await run(...parameters)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(says) });
});

test('a chat sees its own tasks and those of no chat, and not those of other chats', async () => {
  const { database } = postgres;
  for (const id of ['chat-one', 'chat-other']) {
    await createChat(database, { id, name: id });
    await createTask(database, { id: `${id}.1`, chatId: id, title: `Task of ${id}` });
  }
  const titles = (await listTasks(database, { chatId: 'chat-one' })).map(({ title }) => title);
  expect(titles).toEqual(['Paint', 'Task of chat-one']);
});
