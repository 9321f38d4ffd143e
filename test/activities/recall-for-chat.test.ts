import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Dependencies } from '../../activities/dependencies.ts';
import { recallForChat } from '../../activities/recall-for-chat.ts';
import { type MemoryStore, openMemoryStore } from '../../db/memory/memory-store.ts';
import { createHashingEmbedder } from '../support/hashing-embedder.ts';

let folder: string;
let memory: MemoryStore;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-memories-'));
  memory = await openMemoryStore({ uri: folder, embedder: createHashingEmbedder() });
  const known = (id: string, text: string, sessionId?: string) => ({
    ...{ id, text, kind: 'fact', scope: sessionId ? ('session' as const) : ('global' as const) },
    ...(sessionId && { sessionId }),
  });
  await memory.remember([
    known('tea', 'Ada drinks green tea in the morning.'),
    known('other', 'Green tea is what Bob drinks in the morning.', 'chat-b'),
    known('long', `Green tea in the morning ${'and so on '.repeat(400)}`),
    known('far', 'The deployment runs on Fridays.'),
  ]);
});
afterAll(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

const recall = (text: string) => recallForChat({ memory } as Dependencies, { chatId: 'chat-a', runId: null, text });

test('a message would bring to mind what is far from it, what is for another chat, or more than there is room for', async () => {
  const recalled = await recall('Which green tea in the morning?');
  expect(recalled?.recollections).toMatchObject([{ id: 'tea', kind: 'fact', why: 'both', score: expect.any(Number) }]);
  expect(recalled?.text).toContain('id tea) Ada drinks green tea in the morning.');
  expect(recalled?.text).toContain('the person did not say it');
  expect(await recall('Nothing of the kind')).toBeUndefined();
});
