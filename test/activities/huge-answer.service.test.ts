import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readEvents } from '../../db/events/read-events.ts';
import { readMessages } from '../../db/transcript/transcript.ts';
import { readUsage } from '../../db/usage/read-usage.ts';
import { createModels } from '../../models/create-models.ts';
import { type ScriptedModel, startScriptedModel } from '../../testing/index.ts';
import { seedProject } from '../client/seed-project.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/test-database.ts';
import { beginRunOfTurns } from '../support/work/run-of-turns.ts';

const projectId = 'project-huge';
const megabyte = 'It goes on and on. '.repeat(60_000);
let postgres: TestDatabase;
let model: ScriptedModel;

beforeAll(async () => {
  postgres = await createTestDatabase();
  await seedProject(postgres.database, projectId);
  const turns = [
    { text: megabyte, calls: [{ tool: 'log_progress', arguments: { note: 'a' } }] },
    { text: 'Enough.', expect: [megabyte] },
  ];
  model = await startScriptedModel({ script: { entries: [{ role: 'code', turns }] } });
});
afterAll(async () => {
  await model?.close();
  await postgres?.stop();
});

test('an answer of a megabyte is stored whole, reported in short and sent with the next request', async () => {
  const { database } = postgres;
  const models = createModels({ providers: { openai: { apiKey: 'k', baseUrl: model.url, headers: true } } });
  // A model whose window can hold it.
  const names = 'openai/gpt-4.1';
  const { run, callModel, runTool } = await beginRunOfTurns({
    database,
    models,
    projectId,
    runId: `${projectId}-work`,
    names,
  });
  const answer = await callModel(1);
  expect(JSON.stringify(answer).length).toBeLessThan(1_000);
  expect(await callModel(1)).toEqual(answer); // as a retry finds it
  await runTool(1, answer.messageNumber, 0);
  const messages = await readMessages(database, run.runId);
  expect(messages.find(({ number }) => number === answer.messageNumber)?.content.text).toBe(megabyte);
  const told = (await readEvents(database, projectId)).filter(({ data }) => data.type === 'turn-completed');
  expect(JSON.stringify(told).length).toBeLessThan(2_000);
  await callModel(2); // the script expects the whole answer in this request
  expect(await readUsage(database, run.runId)).toMatchObject([{ turn: 1, outcome: 'ANSWERED' }, { turn: 2 }]);
});
