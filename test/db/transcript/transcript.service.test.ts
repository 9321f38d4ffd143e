import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createRunActivities } from '../../../activities/run/run.ts';
import { readStandings } from '../../../db/budget/read-standings.ts';
import { claimFeature, unblockFeatures } from '../../../db/features/claim-feature.ts';
import { setProjectStatus } from '../../../db/project/projects.ts';
import { runs } from '../../../db/schema/runs.ts';
import { usage } from '../../../db/schema/usage.ts';
import { closeRuns } from '../../../db/transcript/close-runs.ts';
import { createKnownMessages } from '../../../db/transcript/known-messages.ts';
import { placeBelow } from '../../../db/transcript/place-run.ts';
import { readConversation } from '../../../db/transcript/read-conversation.ts';
import { insertSummary } from '../../../db/transcript/summaries.ts';
import { findRun, insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import { readLatestUsage } from '../../../db/usage/read-usage.ts';
import { sumUsage } from '../../../db/usage/sum-usage.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const { database } = await databaseOfFile();

describe('runs in their places', () => {
  const projectId = 'project-delegates';

  beforeAll(async () => {
    await seedProject(database, projectId);
    await addRun('top');
    await addRun('other');
    await addRun('child', 'top');
    await addRun('grandchild', 'child');
    await addRun('second', 'top');
    await addRun('third', 'top');
    await addRun('elsewhere', 'second');
  });

  /** A run with 100 tokens of usage. */
  async function addRun(id: string, parentId?: string): Promise<void> {
    const place = parentId === undefined ? {} : await placeBelow(database, parentId);
    await database.insert(runs).values({ id, projectId, ...place, role: 'code', model: 'm', status: 'RUNNING' });
    await database
      .insert(usage)
      .values({ runId: id, turn: 1, model: 'm', inputTokens: 90, outputTokens: 10, durationMs: 1 });
  }

  test('a run is placed only below one that exists', async () => {
    await expect(addRun('lost', 'nobody')).rejects.toMatchObject({ code: 'UnknownRun' });
  });

  test("what a run's children use counts in its budget", async () => {
    for (const runId of ['top', 'child', 'grandchild', 'elsewhere']) {
      const [standing] = await readStandings(database, { run: { tokens: 1_000 } }, { projectId, runId });
      expect(standing?.spent).toMatchObject({ tokens: 600, turns: 6 });
    }
    const [other] = await readStandings(database, { run: { tokens: 1_000 } }, { projectId, runId: 'other' });
    expect(other?.spent).toMatchObject({ tokens: 100, turns: 1 });
  });
});

describe('closed runs', () => {
  const projectId = 'project-closes';
  const sessionId = `${projectId}-s2`;

  beforeAll(async () => {
    await seedProject(database, projectId);
    await claimFeature(database, { projectId, sessionId, number: 2 });
  });

  /** A run that asked for three calls, only the first of which has a result. */
  async function stoppedRun(runId: string, of: { sessionId?: string } = { sessionId }): Promise<void> {
    const run = { projectId, role: 'code', model: 'm', status: 'RUNNING' as const };
    await database.insert(runs).values({ id: runId, ...run, ...of });
    const toolCalls = ['a', 'b', 'c'].map((id) => ({ id, name: 'list_files', arguments: '{}' }));
    await insertMessage(database, { runId, number: 0, turn: 1, role: 'assistant', content: { text: '', toolCalls } });
    const content = { text: 'a.txt', toolCallId: 'a' };
    await insertMessage(database, { runId, number: 1, turn: 1, role: 'tool', content });
  }

  async function resultsOf(runId: string) {
    const [, ...results] = await readMessages(database, runId);
    return results.map(({ number, content }) => [number, content.toolCallId, content.text]);
  }

  const answered = (reason: string) => [
    [1, 'a', 'a.txt'],
    [2, 'b', `Not executed. ${reason}`],
    [3, 'c', `Not executed. ${reason}`],
  ];

  test('a run stopped between two calls has a result for each call', async () => {
    await stoppedRun('stopped');
    await closeRuns(database, [sessionId], 'It was stopped.');
    await closeRuns(database, [sessionId], 'Told again.');
    expect(await resultsOf('stopped')).toEqual(answered('It was stopped.'));
    expect(await findRun(database, 'stopped')).toMatchObject({ status: 'ENDED', result: 'It was stopped.' });
  });

  test('a run that ends during an answer has a result for each call', async () => {
    await stoppedRun('refused');
    const { endRun } = createRunActivities({ database } as Dependencies);
    await endRun({ projectId, runId: 'refused', status: 'ENDED', reason: 'It was refused 3 times.' });
    expect(await resultsOf('refused')).toEqual(answered('It was refused 3 times.'));
  });

  test('a run whose session is gone is closed', async () => {
    await stoppedRun('gone');
    await unblockFeatures(database, projectId);
    expect(await resultsOf('gone')).toEqual(answered('Its session no longer exists.'));
    expect(await findRun(database, 'gone')).toMatchObject({ status: 'ENDED' });
  });

  test('a planning run of an abandoned project is closed', async () => {
    await stoppedRun('planning', {});
    await setProjectStatus(database, projectId, 'PAUSED');
    expect(await findRun(database, 'planning')).toMatchObject({ status: 'RUNNING' }); // a resume would go on with it
    await setProjectStatus(database, projectId, 'ABANDONED');
    expect(await resultsOf('planning')).toEqual(answered('The project was abandoned.'));
    expect(await findRun(database, 'planning')).toMatchObject({ status: 'ENDED' });
  });
});

describe('conversations', () => {
  const projectId = 'project-read';
  const runId = `${projectId}-s1-work`;

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
    expect(await sumUsage(database, { runId })).toMatchObject({
      calls: 2,
      turns: 1,
      inputTokens: 5_100,
      unpricedTurns: 2,
    });
  });
});
