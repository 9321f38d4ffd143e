import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { createReindexMemories } from '../../../activities/memory/maintain-memory.ts';
import { type MemoryStore, openMemoryStore } from '../../../db/memory/memory-store.ts';
import type { OpenedEmbedder } from '../../../domain/memory/embedder.ts';
import { createHashingEmbedder } from '../../support/memory/hashing-embedder.ts';
import { inActivity } from '../../support/work/in-activity.ts';

const uri = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
afterEach(() => void jest.restoreAllMocks());
afterAll(() => rmSync(uri, { recursive: true, force: true }));

const reindexWith = (memory: MemoryStore, model: string) =>
  inActivity(() => createReindexMemories({ memory })({ model }));

test('a reindex waits for the embedding server', async () => {
  let answers = false;
  const embedder = createHashingEmbedder();
  const reopen = async (): Promise<OpenedEmbedder> => (answers ? { embedder } : { reopen });
  const memory = await openMemoryStore({ uri, reopen });
  await memory.remember([{ id: 'a', text: 'whole cents', kind: 'fact', scope: 'global' }]);
  await expect(reindexWith(memory, embedder.model)).rejects.toMatchObject({
    type: 'ModelUnreachable',
    nonRetryable: false,
    message: expect.stringContaining(embedder.model),
  });
  answers = true;
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  expect(await reindexWith(memory, embedder.model)).toEqual({ embedded: 1, left: 0 });
  await memory.close();
});

test('a reindex with another or no model fails at once', async () => {
  for (const embedder of [createHashingEmbedder(), undefined]) {
    const memory = await openMemoryStore({ uri, embedder });
    await expect(reindexWith(memory, 'vllm/nomic')).rejects.toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    await memory.close();
  }
});
