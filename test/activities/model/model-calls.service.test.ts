import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';
import { eq, isNull, sql } from 'drizzle-orm';
import type { Dependencies } from '../../../activities/dependencies.ts';
import { heartbeatMs } from '../../../activities/heartbeat.ts';
import { createExtractMemories } from '../../../activities/memory/extract-memories.ts';
import { createProposeSummary } from '../../../activities/memory/propose-summary.ts';
import { createKeepEmbeddingCall } from '../../../activities/model/model-calls.ts';
import { setBudget } from '../../../db/budget/set-budget.ts';
import type { Database } from '../../../db/connection/database.ts';
import { readEvents } from '../../../db/events/read-events.ts';
import { runs } from '../../../db/schema/runs.ts';
import { usage as usageTable } from '../../../db/schema/usage.ts';
import type { NewCall } from '../../../db/usage/add-call.ts';
import { readUsage } from '../../../db/usage/read-usage.ts';
import { sumUsage } from '../../../db/usage/sum-usage.ts';
import { ModelError } from '../../../domain/model/model-error.ts';
import { createModels } from '../../../models/create-models.ts';
import { usageOfFailure } from '../../../models/usage/failed-call.ts';
import { type MisbehaviourInput, type ScriptedModel, startScriptedModel } from '../../../testing/index.ts';
import { seedProject } from '../../client/seed-project.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/test-database.ts';
import { inActivity } from '../../support/work/in-activity.ts';
import { beginRunOfTurns } from '../../support/work/run-of-turns.ts';

let postgres: TestDatabase;
let database: Database;
let model: ScriptedModel;
let closedPort: number;
let count = 0;

beforeAll(async () => {
  postgres = await createTestDatabase();
  ({ database } = postgres);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  closedPort = (server.address() as AddressInfo).port;
  server.close();
  const turns = [
    { text: 'The first answer.', calls: [{ tool: 'log_progress', arguments: { note: 'a' } }] },
    { text: 'The second.' },
  ];
  model = await startScriptedModel({
    script: {
      entries: [
        { role: 'code', turns },
        { role: 'summarizer', turns: [{ text: 'Nothing much.' }] },
      ],
    },
  });
});
afterAll(async () => {
  await model?.close();
  await postgres?.stop();
});
afterEach(() => model.behave());

/** A run that tries these models in order, over HTTP. */
async function runOf(names: string, on = database) {
  count += 1;
  const projectId = `project-calls-${count}`;
  await seedProject(database, projectId);
  const models = createModels({
    providers: {
      openai: { apiKey: 'k', baseUrl: model.url, headers: true },
      anthropic: { apiKey: 'k', baseUrl: model.url.replace(/\/v1$/, ''), headers: true },
      ollama: { baseUrl: `http://127.0.0.1:${closedPort}/v1`, headers: true },
    },
  });
  const run = await beginRunOfTurns({ database: on, models, projectId, runId: `${projectId}-work`, names });
  const misbehave = (kind: MisbehaviourInput) => model.misbehave(kind, { times: 1 });
  return { ...run, projectId, misbehave, ledger: () => readUsage(database, run.run.runId) };
}

const none = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
const unknown = { inputTokens: null, outputTokens: null, costUsd: null };

test('a model that failed or was passed over is in the usage', async () => {
  const { callModel, ledger, projectId, misbehave } = await runOf(
    'ollama/gone, anthropic/claude-sonnet-5, openai/gpt-5',
  );
  misbehave({ kind: 'cut-stream' });
  await callModel(1);
  const rows = await ledger();
  expect(rows).toMatchObject([
    { outcome: 'ModelUnreachable', model: 'ollama/gone', ...none, firstTokenMs: null },
    {
      outcome: 'ModelUnreachable',
      model: 'anthropic/claude-sonnet-5',
      inputTokens: expect.any(Number), // the Messages API reports input tokens at the start of the stream
      outputTokens: null,
      reasoningTokens: null,
      costUsd: null,
      firstTokenMs: expect.any(Number),
    },
    { outcome: 'ANSWERED', model: 'openai/gpt-5', purpose: 'answer', costUsd: expect.any(Number) },
  ]);
  const [, cut, last] = rows;
  const sum = await sumUsage(database, { projectId });
  expect(sum).toMatchObject({ calls: 3, turns: 1, unknownCalls: 1, unpricedTurns: 0, costUsd: last?.costUsd });
  expect(sum.inputTokens).toBe((cut?.inputTokens ?? 0) + (last?.inputTokens ?? 0));
});

test.each([
  [
    { kind: 'status', status: 401 },
    { outcome: 'ModelAuthentication', ...none, requestId: expect.any(String) },
  ],
  [{ kind: 'connection-reset' }, { outcome: 'ModelUnreachable', ...unknown, firstTokenMs: null }],
] as Array<[MisbehaviourInput, object]>)(
  'a call that ended by %j stays in the usage after the retry',
  async (kind, row) => {
    const { callModel, ledger, misbehave } = await runOf('openai/gpt-5');
    misbehave(kind);
    await expect(callModel(1)).rejects.toThrow();
    expect(await ledger()).toMatchObject([{ attempt: 1, ...row }]);
    const answer = await callModel(1, { info: { attempt: 2 } });
    expect(await callModel(1, { info: { attempt: 3 } })).toEqual(answer); // the stored answer: no model is asked
    expect(await ledger()).toMatchObject([row, { attempt: 2, outcome: 'ANSWERED' }]);
  },
);

test('a storm of rate limits costs nothing, and each attempt is counted', async () => {
  const { callModel, ledger, projectId } = await runOf('openai/gpt-5');
  model.misbehave({ kind: 'rate-limit', retryAfterSeconds: 0 }, { times: 3 });
  for (let attempt = 1; attempt <= 3; attempt += 1)
    await expect(callModel(1, { info: { attempt } })).rejects.toMatchObject({ type: 'ModelRateLimited' });
  await callModel(1, { info: { attempt: 4 } });
  const rows = await ledger();
  expect(rows.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  expect(rows.slice(0, 3)).toMatchObject(Array(3).fill({ outcome: 'ModelRateLimited', ...none }));
  const last = rows.at(-1);
  expect(await sumUsage(database, { projectId })).toMatchObject({ turns: 1, unknownCalls: 0, costUsd: last?.costUsd });
});

test('a stopped call is counted', async () => {
  const { callModel, ledger, misbehave, run } = await runOf('openai/gpt-5');
  misbehave({ kind: 'hang' });
  const isAsked = () => model.requests().some((request) => request.run === run.runId);
  async function stop(): Promise<never> {
    while (!isAsked()) await sleep(20);
    throw new CancelledFailure('a person stopped it');
  }
  await expect(callModel(1, { dies: stop() })).rejects.toThrow();
  expect(await ledger()).toMatchObject([{ outcome: 'CANCELLED', ...unknown, firstTokenMs: null }]);
});

test('a call whose worker died is counted once', async () => {
  const { callModel, ledger, misbehave, run } = await runOf('openai/gpt-5');
  misbehave({ kind: 'delay', milliseconds: 4_000 }); // leaves time for a second attempt before the first is answered
  let told: unknown;
  const onBeat = (details: unknown) => {
    told ??= details;
  };
  const late = callModel(1, { onBeat });
  while (told === undefined) await sleep(50);
  const heartbeatDetails = told as { call: NewCall };
  expect(heartbeatDetails.call).toMatchObject({ runId: run.runId, turn: 1, model: 'openai/gpt-5', attempt: 1 });
  expect(JSON.stringify(told).length).toBeLessThan(300);
  const answer = await callModel(1, { info: { attempt: 2, heartbeatDetails } });
  expect(await ledger()).toMatchObject([
    { id: heartbeatDetails.call.id, outcome: 'LOST', ...unknown, durationMs: null, attempt: 1 },
    { outcome: 'ANSWERED', attempt: 2 },
  ]);
  await callModel(1, { info: { attempt: 3, heartbeatDetails } });
  expect(await ledger()).toHaveLength(2);
  // The first attempt was only late: its cost is now known, and that nobody used its answer.
  expect(await late).toEqual(answer);
  const first = (await ledger()).find(({ id }) => id === heartbeatDetails.call.id);
  expect(first).toMatchObject({ outcome: 'UNUSED', inputTokens: expect.any(Number), costUsd: expect.any(Number) });
});

test.each([
  ['extractMemories', (given: Dependencies): Promise<unknown> => createExtractMemories(given)({ chatId: 'nobody' })],
  [
    'proposeSummary',
    (given: Dependencies): Promise<unknown> => createProposeSummary(given)({ consolidation: 'c', seed: 'none' }),
  ],
])('a heartbeat of %s keeps the id of the lost call', async (name, attempt) => {
  const dependencies = { database, memory: { getWithVectors: async () => [] } } as unknown as Dependencies;
  const call = {
    id: `lost-${name}`,
    runId: null,
    model: 'openai/gpt-5',
    purpose: 'consolidation' as const,
    attempt: 1,
  };
  const beats: unknown[] = [];
  let again: Promise<unknown> | undefined;
  await database.transaction(async (query) => {
    await query.execute(sql`lock table ${usageTable}`);
    again = inActivity(() => attempt(dependencies), {
      info: { attempt: 2, heartbeatDetails: { call } },
      onBeat: (details) => void beats.push(details),
    });
    await sleep(2 * heartbeatMs);
  });
  await again;
  expect(beats).toHaveLength(0);
  const kept = await database.select().from(usageTable).where(eq(usageTable.id, call.id));
  expect(kept).toMatchObject([{ outcome: 'LOST', attempt: 1 }]);
  await database.delete(usageTable).where(eq(usageTable.id, call.id));
});

test('the usage of a cut-off call counts towards budgets and warnings', async () => {
  const { callModel, runTool, projectId, misbehave } = await runOf('anthropic/claude-sonnet-5, openai/gpt-5');
  const warnings = async () =>
    (await readEvents(database, projectId)).flatMap(({ data }) => (data.type === 'budget.warned' ? [data.text] : []));
  await setBudget(database, { projectId, limits: { tokens: 10_000 } });
  misbehave({ kind: 'cut-stream' });
  const { messageNumber } = await callModel(1);
  await runTool(1, messageNumber, 0);
  const { inputTokens, outputTokens } = await sumUsage(database, { projectId });
  // Chosen so that the half answer of the next turn alone takes usage past four fifths of it.
  const limit = Math.ceil((inputTokens + outputTokens) / 0.8) + 50;
  await setBudget(database, { projectId, limits: { tokens: limit } });
  expect(await warnings()).toEqual([]);
  misbehave({ kind: 'cut-stream' });
  misbehave({ kind: 'rate-limit' });
  await expect(callModel(2)).rejects.toThrow();
  misbehave({ kind: 'rate-limit' });
  misbehave({ kind: 'rate-limit' });
  await expect(callModel(2, { info: { attempt: 2 } })).rejects.toThrow();
  expect(await warnings()).toEqual([
    expect.stringContaining(`budget of ${limit.toLocaleString('en-US')} tokens are used`),
  ]);
  await callModel(2, { info: { attempt: 3 } });
  expect(await warnings()).toHaveLength(1);
});

test('embedding calls are in the usage', async () => {
  const untold: unknown[] = [];
  const keep = createKeepEmbeddingCall(database, (trouble) => void untold.push(trouble));
  const call = {
    model: 'openai/text-embedding-3-small',
    firstTokenMs: null,
    durationMs: 5,
    requestId: null,
    attempt: 1,
  };
  const usage = { inputTokens: 50, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  keep({ ...call, usage, costUsd: 0.000001 });
  const error = new ModelError('It said nothing.', { code: 'ModelTimeout' });
  keep({ ...call, error, ...usageOfFailure(call.model, error, undefined), attempt: 2 });
  const kept = () => database.select().from(usageTable).where(isNull(usageTable.runId)).orderBy(usageTable.attempt);
  while ((await kept()).length < 2) await sleep(20);
  expect(await kept()).toMatchObject([
    { purpose: 'embedding', outcome: 'ANSWERED', inputTokens: 50, costUsd: 0.000001, attempt: 1 },
    { purpose: 'embedding', outcome: 'ModelTimeout', inputTokens: null, costUsd: null, attempt: 2 },
  ]);
  expect(untold).toEqual([]);
});

test('a failed summary is in the usage', async () => {
  const { callModel, compactRun, ledger, run, misbehave } = await runOf('openai/gpt-5');
  const { messageNumber } = await callModel(1);
  await database.update(runs).set({ turns: 1 });
  misbehave({ kind: 'rate-limit' });
  await expect(compactRun(2, messageNumber)).rejects.toThrow();
  expect(await ledger()).toMatchObject([
    { purpose: 'answer', outcome: 'ANSWERED' },
    { purpose: 'summary', outcome: 'ModelRateLimited', summaryUpTo: messageNumber, runId: run.runId, ...none },
  ]);
});
