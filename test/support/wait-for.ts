import { setTimeout as sleep } from 'node:timers/promises';

/** Under jest's limit of 600 s, so that the error says what was awaited. What takes a second on a quiet machine takes minutes where many tests run at once. */
const defaultLimitMs = 560_000;

/** Polls until the check holds: every 20 ms at first, later every 400 ms, since many tests wait at once. */
export async function waitFor(
  what: string,
  check: () => Promise<boolean> | boolean,
  limitMs: number = defaultLimitMs,
): Promise<void> {
  const end = Date.now() + limitMs;
  for (let pause = 20; !(await check()); pause = Math.min(pause * 1.25, 400)) {
    if (Date.now() > end) throw new Error(`Waited ${limitMs / 1000} s for ${what}.`);
    await sleep(pause);
  }
}
