import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { createConversationReader } from '../../../activities/chat/remember-conversation.ts';
import { messages, runs } from '../../../db/schema/runs.ts';
import { readConversation } from '../../../db/transcript/read-conversation.ts';
import { addSummary } from '../../../db/transcript/summaries.ts';
import { writeMessage } from '../../../db/transcript/transcript.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/test-database.ts';

const { database } = await databaseOfFile();
let runId: string;
let count = 0;

beforeAll(async () => {
  await seedProject(database, 'remembered');
});
beforeEach(async () => {
  count += 1;
  runId = `remembered-${count}`;
  await newRun(runId);
});

async function newRun(id: string): Promise<void> {
  await database.insert(runs).values({ id, projectId: 'remembered', role: 'code', model: 'm', status: 'RUNNING' });
  for (const number of [0, 1, 2]) await write(id, number);
}

const write = (id: string, number: number) =>
  writeMessage(database, { runId: id, number, turn: number, role: 'user', content: { text: `message ${number}` } });

/** Changes a stored message, which Longhaul itself never does. */
const change = (number: number, text: string) =>
  database.update(messages).set({ content: { text } }).where(eq(messages.number, number));

const textsOf = async (read: (id: string) => ReturnType<typeof readConversation>) =>
  (await read(runId)).messages.map(({ content }) => content.text);

test('the model would not be asked with what another worker added', async () => {
  const read = createConversationReader(database);
  await read(runId);
  for (const number of [3, 4]) await write(runId, number);
  await database.update(runs).set({ shortenedUpTo: 2, model: 'other' }).where(eq(runs.id, runId));
  expect(await read(runId)).toEqual(await readConversation(database, runId));
  expect(await read(runId)).toMatchObject({ model: 'other', shortenedUpTo: 2 });
});

test('each turn would read all of a long conversation again', async () => {
  const read = createConversationReader(database);
  await read(runId);
  await change(1, 'changed behind its back');
  await write(runId, 3);
  expect(await textsOf(read)).toEqual(['message 0', 'message 1', 'message 2', 'message 3']);
});

test('a conversation that is another one would be gone on with as it was', async () => {
  const read = createConversationReader(database);
  await read(runId);
  await change(1, 'another question');
  await change(2, 'another answer');
  expect(await textsOf(read)).toEqual(['message 0', 'another question', 'another answer']);
  await database.delete(messages).where(eq(messages.runId, runId));
  expect(await textsOf(read)).toEqual([]);
});

test('a message that comes after one with a higher number would never be seen', async () => {
  const read = createConversationReader(database);
  await write(runId, 4);
  await read(runId);
  await write(runId, 3);
  expect(await textsOf(read)).toEqual(['message 0', 'message 1', 'message 2', 'message 3', 'message 4']);
});

test('what a summary stands for would still be shown, or all of the rest be read again each turn', async () => {
  const read = createConversationReader(database);
  await write(runId, 3);
  await read(runId);
  await addSummary(database, { runId, upToMessage: 2, turn: 3, written: 'so far', shown: 'so far', failure: null });
  expect(await read(runId)).toEqual(await readConversation(database, runId));
  expect(await textsOf(read)).toEqual(['message 0', 'message 3']);
  await write(runId, 4);
  await change(3, 'changed behind its back');
  expect(await textsOf(read)).toEqual(['message 0', 'changed behind its back', 'message 4']);
  await write(runId, 5);
  await change(3, 'changed again');
  expect(await textsOf(read)).toEqual(['message 0', 'changed behind its back', 'message 4', 'message 5']);
});

test('a worker would keep the conversations of all runs that it ever had', async () => {
  const read = createConversationReader(database);
  await read(runId);
  for (let other = 1; other <= 12; other += 1) {
    await newRun(`${runId}-${other}`);
    await read(`${runId}-${other}`);
  }
  await change(1, 'read again');
  expect(await textsOf(read)).toContain('read again');
});
