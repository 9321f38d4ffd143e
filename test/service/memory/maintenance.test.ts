import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from '@lancedb/lancedb';
import { Client, Connection } from '@temporalio/client';
import type { ReindexStatus } from '../../../client/index.ts';
import { openMemoryStore } from '../../../db/memory/memory-store.ts';
import { runCli } from '../../cli/run.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Enough for the indexes on the filtered columns to be made. */
const writtenAtOnce = 5_000;
const writtenSingly = 20;
/** Three batches. */
const reindexed = 192;

let stack: ServiceStack;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  stack = await startServiceStack({
    embeddings: true,
    worker: 'process',
    script: { entries: [{ role: 'summarizer', turns: [{ text: 'None.' }] }] },
  });
  connection = await Connection.connect({ address: stack.addresses.temporal });
  client = new Client({ connection });
});
afterAll(async () => {
  await connection?.close();
  await stack?.stop();
});

const openMemories = () => openMemoryStore({ uri: join(stack.home, 'lancedb') });

const fact = (id: string, text: string) => ({ id, text, kind: 'fact', scope: 'global' as const });

async function writeMemories(): Promise<void> {
  const store = await openMemories();
  const memory = (index: number) => fact(`m${index}`, `memory number ${index}`);
  await store.remember(Array.from({ length: writtenAtOnce }, (_, index) => memory(index)));
  for (let index = 0; index < writtenSingly; index += 1) await store.remember([memory(writtenAtOnce + index)]);
  await store.forget(['m5']);
  await store.close();
}

const maintenance = () => client.schedule.getHandle(`longhaul-memory-${stack.environment.LONGHAUL_TASK_QUEUE}`);

async function run(...parameters: string[]): Promise<string> {
  const { stdout, exitCode } = await runCli(['memory', ...parameters], { environment: stack.environment });
  expect(exitCode).toBe(0);
  return stdout;
}

const status = async (): Promise<ReindexStatus> => JSON.parse(await run('reindex', '--status', '--json'));

/** The number of data files and rows, and the most rows that any index lacks. */
async function lookAtTable(): Promise<{ fragments: number; rows: number; unindexed: number }> {
  const connection = await connect(join(stack.home, 'lancedb'));
  const table = await connection.openTable('memories');
  const [{ fragmentStats }, indexes, rows] = await Promise.all([table.stats(), table.listIndices(), table.countRows()]);
  const unindexed = Math.max(...indexes.map(({ numUnindexedRows }) => numUnindexedRows ?? 0));
  table.close();
  connection.close();
  return { fragments: fragmentStats.numFragments, rows, unindexed };
}

test("a reindex runs in the background and continues after a worker's death", async () => {
  await maintenance().pause(); // or it might run, every ten minutes, while the memories are written
  const written = await openMemories();
  const text = (index: number) => `The limit of the plan number ${index} is ${index} megabytes`;
  await written.remember(Array.from({ length: reindexed }, (_, index) => fact(`${index}`, text(index))));
  await written.close();
  expect(await status()).toMatchObject({ state: 'none', memories: reindexed, left: reindexed });
  expect(await run('reindex')).toMatch(/The workflow memory-reindex-\S+ embeds the others/);
  await waitFor('the first memories', async () => (await status()).left < reindexed);
  await stack.restartWorker();
  expect(await run('search', 'limit', 'megabytes')).toMatch(/plan number/); // searches go on
  await waitFor('the last memories', async () => (await status()).state === 'completed');
  expect(await status()).toMatchObject({ state: 'completed', left: 0 });
  const store = await openMemories();
  const models = (await store.list({ scope: 'everything' })).map(({ model }) => model);
  await store.close();
  expect(models).toEqual(Array.from({ length: reindexed }, () => 'all-minilm-l6-v2-int8'));
});

test('maintenance compacts memories, also by the schedule that a second worker finds in place', async () => {
  await writeMemories();
  const rows = reindexed + writtenAtOnce + writtenSingly - 1;
  const before = await lookAtTable();
  expect(before.fragments).toBeGreaterThan(writtenSingly);
  expect(before.rows).toBe(rows);
  expect(before.unindexed).toBeGreaterThan(writtenAtOnce);
  const schedule = maintenance();
  const { numActionsTaken } = (await schedule.describe()).info;
  await schedule.trigger();
  for (;;) {
    const { info } = await schedule.describe();
    const action = info.recentActions.at(-1);
    if (info.numActionsTaken > numActionsTaken && action?.action.type === 'startWorkflow') {
      const { workflowId } = action.action.workflow;
      expect(await client.workflow.getHandle(workflowId).result()).toEqual({
        rows,
        indexed: expect.arrayContaining(['kind', 'place']),
      });
      expect(await lookAtTable()).toEqual({ fragments: 1, rows, unindexed: 0 });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
});
