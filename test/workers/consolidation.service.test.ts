import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createConsolidationActivities } from '../../activities/memory/consolidate-memory.ts';
import { listConsolidations } from '../../db/consolidation/consolidations.ts';
import { type MemoryStore, openMemoryStore } from '../../db/memory/memory-store.ts';
import { scheduleConsolidation } from '../../workers/schedule-consolidation.ts';
import { createHashingEmbedder } from '../support/memory/hashing-embedder.ts';
import { type ShortHistoryServer, startShortHistoryServer } from '../support/servers/short-history-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/test-database.ts';
import { waitFor } from '../support/wait-for.ts';
import { workflowBundleOfRun } from '../support/work/workflow-bundle-of-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'longhaul-consolidation-'));
const taskQueue = 'consolidation';
let postgres: TestDatabase;
let server: ShortHistoryServer;
let connection: Connection;
let native: NativeConnection;
let client: Client;
let memory: MemoryStore;

beforeAll(async () => {
  postgres = await createTestDatabase();
  server = await startShortHistoryServer(12);
  connection = await Connection.connect({ address: server.address });
  native = await NativeConnection.connect({ address: server.address });
  client = new Client({ connection });
  memory = await openMemoryStore({ uri: join(folder, 'lancedb'), embedder: createHashingEmbedder(64) });
});
afterAll(async () => {
  await memory?.close();
  await native?.close();
  await connection?.close();
  await server?.stop();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a consolidation with a long history continues as new and ends as one', async () => {
  const createdAt = new Date('2026-01-01'); // equal for all, so that ids alone decide where a batch ends
  const memories = Array.from({ length: 450 }, (_, index) => ({
    id: `memory-${String(index).padStart(4, '0')}`,
    text: index < 10 ? 'Whole cents' : `alpha${index} beta${index}`,
    kind: 'fact',
    scope: 'global' as const,
    createdAt,
  }));
  await memory.remember(memories);
  const worker = await Worker.create({
    connection: native,
    taskQueue,
    workflowBundle: await workflowBundleOfRun(),
    activities: createConsolidationActivities({ database: postgres.database, memory }),
  });
  const outcome = await worker.runUntil(
    client.workflow.execute('consolidateMemoryWorkflow', {
      workflowId: 'consolidation',
      taskQueue,
      args: [{ summaries: 0 }],
    }),
  );
  expect(outcome).toMatchObject({ looked: 450, changes: [{ kind: 'merge', status: 'applied', count: 9 }] });
  // Listings lag a moment behind.
  await waitFor('its second run', async () => {
    let runs = 0;
    for await (const _ of client.workflow.list({ query: 'WorkflowId = "consolidation"' })) runs += 1;
    return runs > 1;
  });
  expect(await listConsolidations(postgres.database, 10)).toMatchObject([
    { id: outcome.id, status: 'completed', looked: 450 },
  ]);
});

test("a changed setting reaches the schedule, and a person's own changes stay", async () => {
  const handle = client.schedule.getHandle(`longhaul-consolidation-${taskQueue}`);
  const every = async () => (await handle.describe()).spec.intervals?.map((interval) => Number(interval.every));
  const start = (consolidation: string) => scheduleConsolidation(client, taskQueue, { consolidation, summaries: 10 });
  await start('1 day');
  expect(await every()).toEqual([86_400_000]);
  await handle.update((previous) => ({ ...previous, spec: { intervals: [{ every: '3 hours' }] } }));
  expect(await every()).toEqual([3 * 3_600_000]); // an update that arrives with a pause would undo it
  await handle.pause('by a person');
  await start('1 day');
  expect(await every()).toEqual([3 * 3_600_000]);
  await start('12 hours');
  expect(await every()).toEqual([12 * 3_600_000]);
  expect((await handle.describe()).state.paused).toBe(true);
  await start('off');
  await start('off');
  await expect(handle.describe()).rejects.toThrow(/not found/i);
});
