import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createModels } from '../../models/create-models.ts';
import { createProvider } from '../../models/create-provider.ts';

test("the silence limit does not end a long answer, nor shorten the next model's time", async () => {
  const idleMs = 1_000;
  const own = [
    createProvider(
      { name: 'silent', headers: false, idleMs },
      () => undefined,
      async (_, { http: { signal } }) => {
        await sleep(60_000, undefined, { signal });
        throw new Error('Expected to be given up.');
      },
    ),
    createProvider(
      { name: 'slow', headers: false, idleMs },
      () => undefined,
      async (_, { keepAlive, http: { signal } }) => {
        for (let piece = 0; piece < 15; piece += 1) {
          await sleep(100, undefined, { signal });
          keepAlive();
        }
        return { text: 'Done.', toolCalls: [], finish: 'done', usage: null, requestId: null };
      },
    ),
  ];
  const failed: string[] = [];
  const request = { messages: [], tools: [], labels: {}, signal: new AbortController().signal };
  const answer = await createModels({ providers: {}, own }).complete('silent/m, slow/m', request, {
    onFallback: (name, { code, message }) => void failed.push(`${name} ${code}: ${message}`),
  });
  expect(answer).toMatchObject({ text: 'Done.', model: 'slow/m' });
  expect(answer.durationMs).toBeGreaterThan(idleMs);
  expect(failed).toEqual(['silent/m ModelTimeout: The model sent nothing for 1 s.']);
});
