import { afterAll, expect, test } from '@jest/globals';
import { shownBytes } from '../../sandbox/command-report.ts';
import { createTestSandboxes, runIn } from '../sandbox/test-sandboxes.ts';
import { allowed, type Exhaustion, exhaust, limits } from './container/exhaust.ts';

const host = createTestSandboxes();
afterAll(() => host.closeAll());

/** Why each of them counts as a success; several sandboxes work in parallel, each at one after the other. */
async function findSuccesses(all: readonly Exhaustion[]): Promise<string[]> {
  const left = [...all.entries()];
  const found: string[] = [];
  const lanes = [1, 2, 3].map(async () => {
    const sandbox = await host.open({ limits });
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, { name, script, timeoutMs = 10_000 }] = next;
      const result = await runIn(sandbox, `exhaust-${index}`, script, { timeoutMs });
      if (result.exitCode === 0) found.push(`${name}: exit code 0`);
      if (result.output.text.length > shownBytes.head + shownBytes.tail + 200) found.push(`${name}: too much output`);
      if (result.durationMs > timeoutMs + 60_000) found.push(`${name}: took ${result.durationMs} ms`);
      const after = 'pgrep -f "^sleep 987|kworker" && echo left; rm -rf /tmp/* /dev/shm/*; echo alive';
      const alive = await runIn(sandbox, `after-${index}`, after, { timeoutMs: 60_000 });
      if (alive.output.text !== 'alive\n') found.push(`${name}: afterwards ${alive.outcome}, ${alive.output.text}`);
    }
  });
  await Promise.all(lanes);
  return found;
}

test('what fits is allowed', async () => {
  expect((await findSuccesses(allowed)).sort()).toEqual(allowed.map(({ name }) => `${name}: exit code 0`).sort());
});

test('nothing takes more than its share, outlives its time or leaves its sandbox useless', async () => {
  expect(await findSuccesses(exhaust)).toEqual([]);
});
