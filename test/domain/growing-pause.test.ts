import { expect, test } from '@jest/globals';
import { growingPause } from '../../domain/growing-pause.ts';

test('pauses grow, so that hours take few tries and seconds stay short', () => {
  expect([1, 2, 3, 6, 7, 200, 5_000].map(growingPause)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000]);
  let tries = 0;
  for (let waited = 0; waited < 2 * 60 * 60_000; waited += growingPause(tries)) tries += 1;
  expect(tries * 15).toBeLessThan(2_000); // events, out of the 51,200 that a server allows
});
