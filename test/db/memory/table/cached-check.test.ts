import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createCachedCheck } from '../../../../db/memory/table/cached-check.ts';

function asked(answers: boolean[], trusted?: (answer: boolean) => number) {
  let asks = 0;
  const answer = createCachedCheck(async () => answers[asks++] ?? false, trusted);
  return { answer, asks: () => asks };
}

test('an answer that is trusted would be found out again, or be kept once it is forgotten', async () => {
  const { answer, asks } = asked([true, false]);
  expect(await Promise.all([answer.get(), answer.get()])).toEqual([true, true]);
  expect(asks()).toBe(1);
  answer.forget();
  expect(await answer.get()).toBe(false);
});

test('an answer that soon changes would be trusted as long as one that stays', async () => {
  const { answer, asks } = asked([true, false], (isEmpty) => (isEmpty ? 10 : Number.POSITIVE_INFINITY));
  expect(await answer.get()).toBe(true);
  await sleep(30);
  expect(await answer.get()).toBe(false);
  await sleep(30);
  expect(await answer.get()).toBe(false);
  expect(asks()).toBe(2);
});

test('a question that failed would stay failed', async () => {
  let fails = true;
  const answer = createCachedCheck(async () => {
    if (fails) throw new Error('away');
    return true;
  });
  await expect(answer.get()).rejects.toThrow('away');
  fails = false;
  expect(await answer.get()).toBe(true);
});
