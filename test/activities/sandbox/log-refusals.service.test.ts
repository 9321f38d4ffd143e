import { afterAll, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { logRefusals } from '../../../activities/sandbox/log-refusals.ts';
import { createChat } from '../../../db/chats/chats.ts';
import { readEvents } from '../../../db/events/read-events.ts';
import { events } from '../../../db/schema/runs.ts';
import { ScriptedSandboxes } from '../../../testing/scripted-sandbox/scripted-sandboxes.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
const sandboxes = new ScriptedSandboxes();
afterAll(() => sandboxes.dispose());

test('what was refused a sandbox is logged once for each host, however often it is looked at', async () => {
  const projectId = 'project-refusals';
  await seedProject(database, projectId);
  const refuse = (sandbox: string, host: string) => sandboxes.refuse(sandbox, { host, port: 443, why: `not ${host}` });
  const look = (sandbox: string) => logRefusals({ database, sandboxes }, { kind: 'project', id: projectId }, sandbox);
  const logged = async () =>
    (await readEvents(database, projectId)).flatMap(({ data }) =>
      data.type === 'network-refused'
        ? [`${data.sandbox}: ${data.refusals.map(({ host, why }) => `${host} ${why}`)}`]
        : [],
    );
  await look('s1');
  expect(await logged()).toEqual([]);
  refuse('s1', 'a.example');
  await look('s1');
  await look('s1');
  refuse('s1', 'b.example');
  refuse('s2', 'a.example');
  await look('s1');
  await look('s2');
  expect(await logged()).toEqual([
    's1: a.example:443 not a.example',
    's1: b.example:443 not b.example',
    's2: a.example:443 not a.example',
  ]);
});

test('what was refused a chat is in the events of the chat', async () => {
  await createChat(database, { id: 'chat-refused', name: 'refused' });
  sandboxes.refuse('chat-refused', { host: 'a.example', port: 443, why: 'not a.example' });
  const owner = { kind: 'chat', id: 'chat-refused' } as const;
  await Promise.all([1, 2].map(() => logRefusals({ database, sandboxes }, owner, owner.id)));
  const rows = await database.select({ data: events.data }).from(events).where(eq(events.chatId, owner.id));
  expect(rows.map(({ data }) => data)).toEqual([
    { type: 'network-refused', sandbox: owner.id, refusals: [{ host: 'a.example:443', why: 'not a.example' }] },
  ]);
});
