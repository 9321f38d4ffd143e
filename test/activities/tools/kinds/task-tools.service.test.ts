import { beforeAll, expect, test } from '@jest/globals';
import { createTaskTools } from '../../../../activities/tools/kinds/task-tools.ts';
import { createChat } from '../../../../db/chats/chats.ts';
import { deleteChat } from '../../../../db/chats/delete-chat.ts';
import { listTasks } from '../../../../db/tasks/tasks.ts';
import { databaseOfFile } from '../../../support/servers/test-database.ts';
import { inChat } from '../../../support/work/in-chat.ts';

const postgres = await databaseOfFile();
let tools: ReturnType<typeof createTaskTools>;

beforeAll(async () => {
  tools = createTaskTools({ database: postgres.database });
  for (const name of ['a', 'b']) await createChat(postgres.database, { id: `chat-${name}`, name });
});

async function create(name: string, title: string, more: { priority?: number; depends_on?: number[] } = {}) {
  const { text } = await tools.create_task({ title, ...more }, inChat(name));
  return Number(/task (\d+)/.exec(text)?.[1]);
}

test('a retried call creates its task once', async () => {
  const context = inChat('a');
  const first = await tools.create_task({ title: 'Once' }, context);
  expect(await tools.create_task({ title: 'Once' }, context)).toEqual(first);
  expect((await listTasks(postgres.database)).filter(({ title }) => title === 'Once')).toHaveLength(1);
});

test('a task waits for those that it depends on', async () => {
  const seeds = await create('a', 'Buy seeds');
  const sow = await create('a', 'Sow', { depends_on: [seeds] });
  expect(await tools.update_task_status({ task: sow, status: 'done' }, inChat('a'))).toEqual({
    failed: true,
    text: `Task ${sow} depends on open tasks: ${seeds} (Buy seeds, todo). Finish or cancel them first.`,
  });
  await tools.update_task_status({ task: seeds, status: 'done', note: 'In the shed.' }, inChat('a'));
  expect((await tools.update_task_status({ task: sow, status: 'done' }, inChat('a'))).text).toContain('Sow (done');
  expect((await tools.get_task({ task: seeds }, inChat('a'))).text).toContain('Note: In the shed.');
  expect(await tools.create_task({ title: 'Water', depends_on: [999] }, inChat('a'))).toMatchObject({ failed: true });
  expect(await tools.get_task({ task: 999 }, inChat('a'))).toMatchObject({ failed: true });
});

test('tasks are sorted, limited to the chat unless asked, and outlive it', async () => {
  await create('b', 'Later', { priority: 1 });
  await create('b', 'Now', { priority: 9 });
  await create('a', 'Elsewhere', { priority: 10 });
  const titles = async (everywhere: boolean) =>
    [...(await tools.list_tasks({ all_sessions: everywhere }, inChat('b'))).text.matchAll(/\. (\w+) \(/g)].map(
      ([, title]) => title,
    );
  expect(await titles(false)).toEqual(['Now', 'Later']);
  expect((await titles(true)).slice(0, 2)).toEqual(['Elsewhere', 'Now']);
  expect(await tools.list_tasks({}, inChat('b'))).toMatchObject({ display: '2 tasks' });
  await tools.update_task_status({ task: await create('b', 'Once'), status: 'done' }, inChat('b'));
  expect(await tools.list_tasks({ status: 'done' }, inChat('b'))).toMatchObject({ display: '1 task' });
  await deleteChat(postgres.database, 'chat-b');
  expect(await titles(true)).toContain('Now');
});
