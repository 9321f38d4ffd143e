import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from '@lancedb/lancedb';
import { Client, Connection } from '@temporalio/client';
import { openMemoryStore } from '../../../db/memory/memory-store.ts';
import { smallProject, writes } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';

/** Enough for the indexes on the filtered columns to be made. */
const writtenAtOnce = 6_000;
const writtenSingly = 20;

let stack: ServiceStack;
let connection: Connection;

beforeAll(async () => {
  stack = await startServiceStack({
    embeddings: true,
    worker: 'process',
    script: smallProject([{ name: 'note', work: [writes('note')] }]),
  });
  connection = await Connection.connect({ address: stack.addresses.temporal });
});
afterAll(async () => {
  await connection?.close();
  await stack?.stop();
});

async function writeMemories(): Promise<void> {
  const store = await openMemoryStore({ uri: join(stack.home, 'lancedb') });
  const memory = (index: number) => ({
    id: `m${index}`,
    text: `memory number ${index}`,
    kind: 'fact',
    scope: 'global' as const,
  });
  await store.remember(Array.from({ length: writtenAtOnce }, (_, index) => memory(index)));
  for (let index = 0; index < writtenSingly; index += 1) await store.remember([memory(writtenAtOnce + index)]);
  await store.forget(['m5']);
  await store.close();
}

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

test('maintenance compacts memories, and a second worker accepts the existing schedule', async () => {
  const client = new Client({ connection });
  const schedule = client.schedule.getHandle(`longhaul-memory-${stack.environment.LONGHAUL_TASK_QUEUE}`);
  await schedule.pause(); // or it might run, every ten minutes, while the memories are written
  await writeMemories();
  const rows = writtenAtOnce + writtenSingly - 1;
  const before = await lookAtTable();
  expect(before.fragments).toBeGreaterThan(writtenSingly);
  expect(before).toMatchObject({ rows, unindexed: rows });
  await stack.restartWorker(); // the next worker finds the schedule in place
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
