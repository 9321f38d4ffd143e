import { expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { readSession } from '../../../db/project/sessions.ts';
import { runs, steeringMessages } from '../../../db/schema/runs.ts';
import { addSteeringMessage } from '../../../db/steering/add-steering-message.ts';
import { deliverSteeringMessages } from '../../../db/steering/deliver-steering-messages.ts';
import { readSteeringMessagesOnFeature } from '../../../db/steering/read-steering-messages.ts';
import { readConversation } from '../../../db/transcript/read-conversation.ts';
import { insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import type { MessageRole } from '../../../domain/run/message.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();
let count = 0;

/** A project and a run that has its first two messages. */
async function begin() {
  count += 1;
  const projectId = `project-told-${count}`;
  await seedProject(database, projectId);
  const runId = await addRun(projectId, 'plan');
  return { projectId, runId };
}

async function addRun(projectId: string, name: string): Promise<string> {
  const id = `${projectId}-s1-${name}`;
  const sessionId = `${projectId}-s1`;
  await database.insert(runs).values({ id, projectId, sessionId, role: 'code', model: 'm', status: 'RUNNING' });
  await say(id, 0, 0, 'system');
  await say(id, 1, 0, 'user');
  return id;
}

async function say(runId: string, number: number, turn: number, role: MessageRole): Promise<void> {
  await insertMessage(database, { runId, number, turn, role, content: { text: `${role} ${number}` } });
}

const told = async (runId: string) =>
  (await readMessages(database, runId)).flatMap(({ content, number, turn }) =>
    content.text.startsWith('A steering message') ? [`${number} ${turn} ${content.text.split('\n').at(-1)}`] : [],
  );

test('a repeated message is delivered once', async () => {
  const { projectId, runId } = await begin();
  const message = { projectId, id: 'm1', text: 'Use tabs.' };
  expect(await addSteeringMessage(database, message)).toEqual({ run: runId });
  expect(await addSteeringMessage(database, message)).toEqual({ run: runId });
  expect((await readConversation(database, runId)).hasSteeringMessage).toBe(true);
  await Promise.all([1, 2, 3].map(() => deliverSteeringMessages(database, { projectId, runId, turn: 1 })));
  await addSteeringMessage(database, message);
  await deliverSteeringMessages(database, { projectId, runId, turn: 1 });
  expect(await told(runId)).toEqual(['2 0 Use tabs.']);
  expect((await readConversation(database, runId)).hasSteeringMessage).toBe(false);
});

test('messages are delivered in order', async () => {
  const { projectId, runId } = await begin();
  for (const text of ['one', 'two', 'three']) await addSteeringMessage(database, { projectId, id: `z-${text}`, text });
  await deliverSteeringMessages(database, { projectId, runId, turn: 1 });
  expect(await told(runId)).toEqual(['2 0 one', '3 0 two', '4 0 three']);
});

test('a message never comes between a call and its result', async () => {
  const { projectId, runId } = await begin();
  await addSteeringMessage(database, { projectId, id: 'm', text: 'Stop.' });
  await say(runId, 2, 1, 'assistant');
  // As an attempt that was given up as dead but still runs: its turn has been answered in the meantime.
  await deliverSteeringMessages(database, { projectId, runId, turn: 1 });
  expect(await told(runId)).toEqual([]);
  await say(runId, 3, 1, 'tool');
  await deliverSteeringMessages(database, { projectId, runId, turn: 2 });
  expect(await told(runId)).toEqual(['4 1 Stop.']);
});

test('a message for one run goes to that run, or is refused once it has ended', async () => {
  const { projectId, runId } = await begin();
  const other = await addRun(projectId, 'work');
  expect(await addSteeringMessage(database, { projectId, id: 'm', text: 'For the plan.', run: 's1-plan' })).toEqual({
    run: runId,
  });
  expect((await readConversation(database, other)).hasSteeringMessage).toBe(false);
  await deliverSteeringMessages(database, { projectId, runId: other, turn: 1 });
  expect(await told(other)).toEqual([]);
  await database.update(runs).set({ status: 'FINISHED' }).where(eq(runs.id, runId));
  expect((await readConversation(database, other)).hasSteeringMessage).toBe(true);
  await deliverSteeringMessages(database, { projectId, runId: other, turn: 1 });
  expect(await told(other)).toEqual(['2 0 For the plan.']);
});

test('a message during planning reaches the agent that does the work', async () => {
  const { projectId, runId } = await begin();
  const { featureId } = await readSession(database, `${projectId}-s1`);
  await addSteeringMessage(database, { projectId, id: 'm', text: 'No dependencies.' });
  await deliverSteeringMessages(database, { projectId, runId, turn: 1 });
  expect(await readSteeringMessagesOnFeature(database, { featureId, runId: `${projectId}-s1-work` })).toEqual([
    'No dependencies.',
  ]);
  expect(await readSteeringMessagesOnFeature(database, { featureId, runId })).toEqual([]);
});

test.each([
  ['no text', { text: ' \n' }, /Expected a message of 1 to 20000 characters, got none/],
  ['too much text', { text: 'x'.repeat(20_001) }, /got 20001\. Put longer texts into a file/],
  ['an unknown run', { text: 'x', run: 's9-work' }, /No run of .* is called "s9-work"\. The latest: s1-plan/],
])('%s is refused', async (_, given, message) => {
  const { projectId } = await begin();
  await expect(addSteeringMessage(database, { projectId, id: 'm', ...given })).rejects.toThrow(message);
  expect(await database.select().from(steeringMessages).where(eq(steeringMessages.projectId, projectId))).toEqual([]);
});

test('a message for a run that has ended is refused', async () => {
  const { projectId, runId } = await begin();
  await database.update(runs).set({ status: 'ENDED' }).where(eq(runs.id, runId));
  await expect(addSteeringMessage(database, { projectId, id: 'm', text: 'x', run: runId })).rejects.toThrow(
    /is ENDED, so it takes no more messages/,
  );
  expect(await addSteeringMessage(database, { projectId, id: 'm', text: 'x' })).toEqual({ run: null });
});
