import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ReindexStatus } from '../../../client/index.ts';
import { openMemoryStore } from '../../../db/memory/memory-store.ts';
import { runCli } from '../../cli/run.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';

const count = 600;
let stack: ServiceStack;

beforeAll(async () => {
  stack = await startServiceStack({
    embeddings: true,
    worker: 'process',
    script: { entries: [{ role: 'summarizer', turns: [{ text: 'None.' }] }] },
  });
  const store = await openMemoryStore({ uri: join(stack.home, 'lancedb') });
  const memories = Array.from({ length: count }, (_, index) => ({
    id: `${index}`,
    text: `The limit of the plan number ${index} is ${index} megabytes`,
    kind: 'fact',
    scope: 'global' as const,
  }));
  await store.remember(memories);
  await store.close();
});
afterAll(() => stack?.stop());

async function run(...parameters: string[]): Promise<string> {
  const environment = stack.environment;
  const { stdout, exitCode } = await runCli(['memory', ...parameters], { environment });
  expect(exitCode).toBe(0);
  return stdout;
}

const status = async (): Promise<ReindexStatus> => JSON.parse(await run('reindex', '--status', '--json'));

test("a reindex runs in the background and continues after a worker's death", async () => {
  expect(await status()).toMatchObject({ state: 'none', memories: count, left: count });
  expect(await run('reindex')).toMatch(/The workflow memory-reindex-\S+ embeds the others/);
  await waitFor('the first memories', async () => (await status()).left < count);
  await stack.restartWorker();
  expect(await run('search', 'limit', 'megabytes')).toMatch(/plan number/); // searches go on
  await waitFor('the last memories', async () => (await status()).state === 'completed');
  expect(await status()).toMatchObject({ state: 'completed', left: 0 });
  const store = await openMemoryStore({ uri: join(stack.home, 'lancedb') });
  const models = (await store.list({ scope: 'everything' })).map(({ model }) => model);
  await store.close();
  expect(models).toEqual(Array.from({ length: count }, () => 'all-minilm-l6-v2-int8'));
});
