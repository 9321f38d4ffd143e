import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../db/connection/database.ts';
import { isAlreadyThere } from '../../../db/connection/query-errors.ts';
import { runs } from '../../../db/schema/runs.ts';
import { addLostCall, insertCall, type NewCall } from '../../../db/usage/add-call.ts';
import { readLatestUsage, readTokensOfTurn, readUsage } from '../../../db/usage/read-usage.ts';
import { sumByPurpose, sumUsage } from '../../../db/usage/sum-usage.ts';
import { seedProject } from '../../client/seed-project.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/test-database.ts';

const projectId = 'project-ledger';
let postgres: TestDatabase;
let database: Database;

beforeAll(async () => {
  postgres = await createTestDatabase();
  ({ database } = postgres);
  await seedProject(database, projectId);
});
afterAll(() => postgres?.stop());

let count = 0;
async function runWith(...calls: Array<Partial<NewCall>>): Promise<string> {
  count += 1;
  const runId = `${projectId}-${count}`;
  await database.insert(runs).values({ id: runId, projectId, role: 'code', model: 'm', status: 'RUNNING' });
  for (const call of calls) await add(runId, call);
  return runId;
}

const add = (runId: string | null, call: Partial<NewCall>) =>
  insertCall(database, { runId, turn: 1, model: 'm', durationMs: 1, ...call, id: `${runId}-${call.id}` });

const answered = { inputTokens: 100, cachedTokens: 0, outputTokens: 10, reasoningTokens: 0, costUsd: 0.5 };
const turnedAway = { ...answered, inputTokens: 0, outputTokens: 0, costUsd: 0, outcome: 'ModelRateLimited' };
const unknown = { inputTokens: null, outputTokens: null, costUsd: null };

test('a call with unknown usage is neither free nor an answer', async () => {
  const runId = await runWith(
    { id: 'a', ...turnedAway },
    { id: 'b', ...unknown, inputTokens: 80, outcome: 'ModelUnreachable' },
    { id: 'c', ...unknown, outcome: 'CANCELLED' },
    { id: 'd', ...answered },
    { id: 'e', ...answered, outcome: 'UNUSED' },
    { id: 'f', turn: 2, ...answered, costUsd: null },
    { id: 'g', turn: 3, ...unknown },
  );
  expect(await sumUsage(database, { runId })).toMatchObject({
    inputTokens: 80 + 3 * 100,
    outputTokens: 30,
    costUsd: 1,
    turns: 3,
    unpricedTurns: 2,
    unknownCalls: 2,
  });
  expect(await readTokensOfTurn(database, runId, 1)).toBe(80 + 2 * 110);
  // The last turn whose tokens the provider counted.
  expect(await readLatestUsage(database, runId)).toEqual({ turn: 2, tokens: 110 });
  const sessions = await sumUsage(database, { projectId });
  expect(sessions).toMatchObject({ turns: 3, unknownCalls: 2 });
});

test('a call written again counts once, and a second answer is no second turn', async () => {
  const runId = await runWith({ id: 'a', ...answered });
  await add(runId, { id: 'a', ...answered });
  const second = await add(runId, { id: 'b', ...answered }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(isAlreadyThere(second)).toBe(true);
  expect(await readUsage(database, runId)).toHaveLength(1);
});

test('a lost call that its worker completed is not lost', async () => {
  const call = { id: 'x', runId: await runWith(), turn: 1, model: 'm' };
  await addLostCall(database, call);
  expect(await readUsage(database, call.runId)).toMatchObject([{ outcome: 'LOST', ...unknown, durationMs: null }]);
  await insertCall(database, { ...call, ...answered, durationMs: 5 });
  await addLostCall(database, call);
  expect(await readUsage(database, call.runId)).toMatchObject([{ outcome: 'ANSWERED', inputTokens: 100 }]);
});

test('calls without a run are in the total, and in no project', async () => {
  const before = await sumUsage(database, { projectId });
  await add(null, { id: 'p', purpose: 'embedding', ...answered });
  await add(null, { id: 'q', purpose: 'embedding', ...unknown, outcome: 'ModelTimeout' });
  await add(null, { id: 'r', purpose: 'consolidation', ...answered });
  expect(await sumUsage(database, { projectId })).toEqual(before);
  expect(await sumByPurpose(database)).toMatchObject([
    { purpose: 'consolidation', calls: 1, inputTokens: 100, costUsd: 0.5, unknownCalls: 0 },
    { purpose: 'embedding', calls: 2, inputTokens: 100, costUsd: 0.5, unknownCalls: 1 },
  ]);
});
