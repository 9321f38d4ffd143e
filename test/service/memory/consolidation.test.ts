import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { MemoryChange } from '../../../client/index.ts';
import { connectDatabase } from '../../../db/connection/database.ts';
import { beginConsolidation } from '../../../db/consolidation/consolidations.ts';
import type { NewMemory } from '../../../db/memory/memory.ts';
import { openMemoryStore } from '../../../db/memory/memory-store.ts';
import { runCli } from '../../cli/run.ts';
import { createHashingEmbedder } from '../../support/memory/hashing-embedder.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

/** More than a batch holds, which is 400 memories. */
const texts = 202;
const summary = 'Uploads are limited by plan: 5 MB, 50 MB and 500 MB.';
const related = ['small', 'middle', 'large', 'company'].map(
  (plan, index) => `The upload limit of the plan ${plan} is ${5 * 10 ** index} megabytes`,
);

let stack: ServiceStack;
let connection: Connection;

beforeAll(async () => {
  stack = await startServiceStack({
    embeddings: true,
    worker: 'process',
    script: { entries: [{ role: 'summarizer', turns: [{ text: summary, expect: related }] }] },
  });
  connection = await Connection.connect({ address: stack.addresses.temporal });
  const memory = await openMemories();
  await memory.remember([...copies('first'), ...copies('second'), ...related.map((text) => fact(text, text))]);
  await memory.close();
});
afterAll(async () => {
  await connection?.close();
  await stack?.stop();
});

/** As many dimensions as the worker's model; memories are compared only if their vectors are of one model. */
const openMemories = () => openMemoryStore({ uri: join(stack.home, 'lancedb'), embedder: createHashingEmbedder(384) });

const fact = (id: string, text: string): NewMemory => ({ id, text, kind: 'fact', scope: 'global' });

function copies(name: 'first' | 'second'): NewMemory[] {
  return Array.from({ length: texts }, (_, index) => ({
    ...fact(`${name} ${index}`, `alpha${index} beta${index} gamma${index} delta${index}`),
    createdAt: new Date(Date.UTC(2026, 0, name === 'first' ? 1 : 2) + index * 1_000),
  }));
}

async function run(...parameters: string[]): Promise<string> {
  const environment = { ...stack.environment, LONGHAUL_MODEL_EMBEDDING: 'none' };
  const { stdout, stderr, exitCode } = await runCli(['memory', ...parameters], { environment });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

test('a consolidation whose worker dies merges everything once', async () => {
  const running = run('consolidate', '--json');
  await waitFor('the first merges', async () => {
    const [first] = await stack.longhaul.consolidations.list();
    return first?.changes.some(({ status }) => status === 'applied' || status === 'applying') ?? false;
  });
  await stack.restartWorker();
  const outcome = JSON.parse(await running);
  expect(outcome).toMatchObject({ looked: expect.any(Number) });
  expect(outcome.changes).toContainEqual({ kind: 'merge', status: 'applied', count: texts });
  expect(outcome.changes).toContainEqual({ kind: 'summary', status: 'proposed', count: 1 });
  expect(outcome.changes).toHaveLength(2);
  const answered = { purpose: 'consolidation', calls: 1, inputTokens: expect.any(Number), unpricedTurns: 1 };
  expect(JSON.parse(await run('cost', '--json'))).toMatchObject([answered]);
  expect(await run('cost')).toMatch(/^consolidation {2}1 call {2}\d+ tokens in, \d+ out {2}unknown\n$/);

  const memory = await openMemories();
  const all = await memory.list({ scope: 'everything', history: true });
  const wrong = all.filter(
    ({ id, supersededBy }) => supersededBy !== (id.startsWith('second ') ? id.replace('second', 'first') : undefined),
  );
  expect(wrong).toEqual([]);
  expect(all).toHaveLength(2 * texts + related.length);
  await memory.close();
});

test("a consolidation's history does not grow with the memories, and a schedule runs it daily", async () => {
  const client = new Client({ connection });
  const history = await client.workflow
    .getHandle(`memory-consolidation-${stack.environment.LONGHAUL_TASK_QUEUE}-all`)
    .fetchHistory();
  expect(history.events?.length).toBeLessThan(100);
  const { spec, action } = await client.schedule
    .getHandle(`longhaul-consolidation-${stack.environment.LONGHAUL_TASK_QUEUE}`)
    .describe();
  expect(spec.intervals?.map(({ every }) => Number(every))).toEqual([86_400_000]);
  expect(action).toMatchObject({
    workflowType: 'consolidateMemoryWorkflow',
    args: [{ onlyNew: true, every: '1 day' }],
  });
});

test('a person can see, accept and undo what a consolidation did and proposed', async () => {
  expect(await run('consolidations', 'list')).toMatch(
    /completed .* 1 summary proposed[\s\S]*Uploads are limited by plan/,
  );
  const [proposal] = (await stack.longhaul.consolidations.proposals()) as [MemoryChange];
  expect(proposal.sourceMemories.map(({ text }) => text).sort()).toEqual([...related].sort());
  await run('consolidations', 'accept', proposal.id, '--replace');
  const found = async () => JSON.parse(await run('search', 'upload', 'limit', '--json')) as Array<{ text: string }>;
  expect((await found()).map(({ text }) => text)).toEqual([summary]);
  expect(await run('consolidations', 'undo', proposal.id)).toBe('Undid 1.\n');
  expect((await found()).map(({ text }) => text).sort()).toEqual([...related].sort());
  expect(JSON.parse(await run('consolidate', '--dry-run', '--json'))).toMatchObject({ changes: [] });
});

test('a consolidation whose workflow was terminated is listed as failed', async () => {
  const { consolidations } = stack.longhaul;
  const workflowId = 'consolidation-to-terminate';
  // No worker polls this queue, so it cannot end before it is terminated.
  const options = { workflowId, taskQueue: 'nobody', args: [{ dryRun: true }] };
  const handle = await new Client({ connection }).workflow.start('consolidateMemoryWorkflow', options);
  const { database, close } = connectDatabase(stack.addresses.database, { maxConnections: 1 });
  const begun = { id: 'terminated', dryRun: true, onlyNew: false, projectId: undefined };
  await beginConsolidation(database, { ...begun, workflowId, workflowRunId: handle.firstExecutionRunId }).finally(
    close,
  );
  expect((await consolidations.list())[0]).toMatchObject({ workflowId, status: 'running' });
  await handle.terminate();
  const [last] = await consolidations.list();
  expect(last).toMatchObject({
    workflowId,
    status: 'failed',
    remark: expect.stringMatching(/was terminated\. Its merges stay/),
  });
  expect(last?.endedAt).toEqual(expect.any(Date));
});
