import { expect, test } from '@jest/globals';
import { createBell } from '../../../client/events/bell.ts';

const never = 60_000;

test('a ring between two waits is not lost', async () => {
  const bell = createBell();
  bell.ring();
  await bell.wait(never);
  const started = Date.now();
  await bell.wait(30);
  expect(Date.now() - started).toBeGreaterThanOrEqual(25);
});

test('a ring wakes whoever waits', async () => {
  const bell = createBell();
  setTimeout(() => bell.ring(), 10);
  await bell.wait(never);
});

test('an aborted signal ends a wait, and the next one at once', async () => {
  const bell = createBell();
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 10);
  await bell.wait(never, controller.signal);
  await bell.wait(never, controller.signal);
});
