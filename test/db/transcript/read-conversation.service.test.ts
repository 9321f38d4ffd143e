import { beforeAll, expect, test } from '@jest/globals';
import { runs } from '../../../db/schema/runs.ts';
import { usage } from '../../../db/schema/usage.ts';
import { createKnownMessages } from '../../../db/transcript/known-messages.ts';
import { readConversation } from '../../../db/transcript/read-conversation.ts';
import { insertSummary } from '../../../db/transcript/summaries.ts';
import { insertMessage } from '../../../db/transcript/transcript.ts';
import { readLatestUsage } from '../../../db/usage/read-usage.ts';
import { sumUsage } from '../../../db/usage/sum-usage.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const projectId = 'project-read';
const runId = `${projectId}-s1-work`;
const { database } = await databaseOfFile();

beforeAll(async () => {
  await seedProject(database, projectId);
  await database.insert(runs).values({ id: runId, projectId, role: 'code', model: 'm', status: 'RUNNING' });
  for (let number = 0; number < 20; number += 1) {
    const turn = Math.max(0, Math.floor(number / 2));
    const role = number === 0 ? 'system' : number === 1 ? 'user' : number % 2 ? 'tool' : 'assistant';
    await insertMessage(database, { runId, number, turn, role, content: { text: `message ${number}` } });
  }
});

const numbers = async () => (await readConversation(database, runId)).messages.map(({ number }) => number);
const summary = (upToMessage: number, turn: number, shown: string | null) =>
  insertSummary(database, { runId, upToMessage, turn, written: 'w', shown, failure: shown === null ? 'No.' : null });

test('a summary replaces earlier turns, and the task and latest turns stay', async () => {
  expect(await numbers()).toEqual(Array.from({ length: 20 }, (_, index) => index));
  await summary(7, 6, 'up to 7');
  await summary(13, 9, 'up to 13');
  expect(await numbers()).toEqual([0, 1, 14, 15, 16, 17, 18, 19]);
  expect((await readConversation(database, runId)).summary).toEqual({ upToMessage: 13, turn: 9, shown: 'up to 13' });
});

test('a conversation that is known in part reads as one that is not', async () => {
  const known = createKnownMessages();
  for (const upTo of [15, 16]) {
    await readConversation(database, runId, known);
    const number = upTo + 5;
    await insertMessage(database, {
      runId,
      number,
      turn: 9,
      role: upTo === 15 ? 'tool' : 'assistant',
      content: { text: 'x' },
    });
    await summary(upTo, 9, `up to ${upTo}`);
    expect(await readConversation(database, runId, known)).toEqual(await readConversation(database, runId));
  }
});

test('a failed summary is not used', async () => {
  await summary(17, 10, null);
  expect((await readConversation(database, runId)).summary?.upToMessage).toBe(16);
});

test("a summary call is neither a turn nor part of the conversation's size", async () => {
  const row = { runId, model: 'm', durationMs: 1, inputTokens: 100, outputTokens: 10 };
  await database.insert(usage).values([
    { ...row, turn: 8 },
    { ...row, turn: 9, summaryUpTo: 13, inputTokens: 5_000 },
  ]);
  expect(await readLatestUsage(database, runId)).toEqual({ turn: 8, tokens: 110 });
  expect(await sumUsage(database, { runId })).toMatchObject({ turns: 1, inputTokens: 5_100, unpricedTurns: 2 });
});
