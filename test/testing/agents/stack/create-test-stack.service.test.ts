import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { expectEventOrder } from '../../../../testing/agents/expectations/expect-events.ts';
import { recordRun } from '../../../../testing/agents/replay/record-run.ts';
import { replayRuns } from '../../../../testing/agents/replay/replay-runs.ts';
import { scriptAnswers } from '../../../../testing/agents/scripted-answers.ts';
import { createTestStack } from '../../../../testing/agents/stack/create-test-stack.ts';
import { readDocumentedFiles, runDocumentedFile } from '../../../support/documents.ts';
import { createTestDatabase } from '../../../support/servers/test-database.ts';
import { workflowBundleOfRun } from '../../../support/work/workflow-bundle-of-run.ts';
import { cashier, clerk, effects } from '../shop.ts';

test('agents run on real servers as they do in memory, and their records are played again', async () => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-records-'));
  const stack = await createTestStack({
    agents: [cashier, clerk],
    model: scriptAnswers([
      { json: { cents: 120 }, usage: { inputTokens: 10, outputTokens: 2 } },
      { calls: [{ tool: 'stock', arguments: { item: 'pens' } }] },
      ({ messages }) => ({ text: `There are ${messages.at(-1)?.content}.` }),
    ]),
    environment: {
      ...process.env,
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: process.env.LONGHAUL_TEST_TEMPORAL,
    },
    workflowBundle: await workflowBundleOfRun(),
  });
  const sale = await stack.longhaul.start(cashier, 'A pen, please.');
  expect(await sale.result()).toMatchObject({ output: 'r-120 m-1', usage: { inputTokens: 10, modelCalls: 1 } });
  const events = [];
  for await (const event of sale.events()) events.push(event);
  expectEventOrder(events, [
    'run.started',
    'assistant.message',
    { type: 'tool.result', tool: 'charge' },
    'run.succeeded',
  ]);
  const question = await stack.longhaul.start(clerk, 'How many?');
  expect(await question.result()).toMatchObject({ output: 'There are 7 of pens.' });

  await recordRun(sale, folder);
  await recordRun(question, folder);
  effects.length = 0;
  expect(await replayRuns(folder, [cashier, clerk])).toEqual({ runs: 2, changes: [] });
  const { changes } = await replayRuns(folder, [cashier, { ...clerk, instructions: 'You buy.' }]);
  expect(changes).toMatchObject([{ run: question.runId, turn: 1, what: expect.stringContaining('told otherwise') }]);
  expect(effects).toEqual([]);
  stack.script.expectUsedUp();

  const over = await stack.longhaul.start(clerk, 'And now?');
  await expect(over.result()).rejects.toThrow('The script has 3 answers, and the model was asked once more');
  await expect(stack.stop()).rejects.toMatchObject({ code: 'ScriptExhausted' });
  await database.stop();
  await rm(folder, { recursive: true });
});

test('without servers it starts its own, and leaves nothing', async () => {
  const { DATABASE_URL: _, TEMPORAL_ADDRESS: __, ...environment } = process.env;
  const stack = await createTestStack({
    agents: [cashier],
    model: [{ json: { cents: 5 } }],
    environment,
    workflowBundle: await workflowBundleOfRun(),
  });
  expect((await stack.longhaul.run(cashier, 'A pen')).output).toBe('r-5 m-1');
  await stack.stop();
});

test('the program of the page runs', async () => {
  const database = await createTestDatabase();
  const { DATABASE_URL, TEMPORAL_ADDRESS } = process.env;
  Object.assign(process.env, { DATABASE_URL: database.url, TEMPORAL_ADDRESS: process.env.LONGHAUL_TEST_TEMPORAL });
  try {
    await runDocumentedFile(await readDocumentedFiles('testing-agents.md'), 'test/stack.ts');
  } finally {
    for (const [name, value] of Object.entries({ DATABASE_URL, TEMPORAL_ADDRESS })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await database.stop();
  }
});
