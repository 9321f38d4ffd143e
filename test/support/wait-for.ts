import { setTimeout as sleep } from 'node:timers/promises';

/** Under jest's limit of 600 s, so that the error says what was awaited. What takes a second on a quiet machine takes minutes where many tests run at once. */
const defaultLimitMs = 560_000;

/** Polls until the check holds: after 50 ms, later every half second, since reading a status takes fifteen queries and many tests wait at once. */
export async function waitFor(
  what: string,
  check: () => Promise<boolean> | boolean,
  limitMs: number = defaultLimitMs,
): Promise<void> {
  const end = Date.now() + limitMs;
  for (let pause = 50; !(await check()); pause = Math.min(pause * 1.5, 500)) {
    if (Date.now() > end) throw new Error(`Waited ${limitMs / 1000} s for ${what}.`);
    await sleep(pause);
  }
}
