import { expect, test } from '@jest/globals';
import { createCompactionTrigger } from '../../../../db/memory/table/compaction-trigger.ts';

async function callsAfter(writes: number, rows: number): Promise<number> {
  let calls = 0;
  const compactionTrigger = createCompactionTrigger(
    async () => rows,
    () => {
      calls += 1;
    },
  );
  for (let write = 0; write < writes; write += 1) await compactionTrigger.written();
  return calls;
}

test.each([
  { writes: 19, rows: 100, calls: 0 },
  { writes: 20, rows: 100, calls: 1 },
  { writes: 60, rows: 100, calls: 3 },
  { writes: 20, rows: 100_000, calls: 0 },
  { writes: 60, rows: 100_000, calls: 1 },
  { writes: 80, rows: 10_000_000, calls: 0 },
  { writes: 100, rows: 10_000_000, calls: 1 },
])('after $writes writes to $rows memories compaction runs $calls times', async (one) => {
  expect(await callsAfter(one.writes, one.rows)).toBe(one.calls);
});

test('what another process compacted is not compacted again', async () => {
  let calls = 0;
  const compactionTrigger = createCompactionTrigger(
    async () => 0,
    () => {
      calls += 1;
    },
  );
  for (let write = 0; write < 19; write += 1) await compactionTrigger.written();
  compactionTrigger.compacted();
  await compactionTrigger.written();
  expect(calls).toBe(0);
});
