import { beforeAll, expect, test } from '@jest/globals';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { createRunActivities } from '../../../activities/run/run.ts';
import { claimFeature, unblockFeatures } from '../../../db/project/claim-feature.ts';
import { setProjectStatus } from '../../../db/project/projects.ts';
import { runs } from '../../../db/schema/runs.ts';
import { closeRuns } from '../../../db/transcript/close-runs.ts';
import { findRun, insertMessage, readMessages } from '../../../db/transcript/transcript.ts';
import { seedProject } from '../../client/seed-project.ts';
import { databaseOfFile } from '../../support/servers/test-database.ts';

const projectId = 'project-closes';
const sessionId = `${projectId}-s2`;
const { database } = await databaseOfFile();

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
