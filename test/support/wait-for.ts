import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the check holds: every 20 ms at first, later every 400 ms, since many tests wait at once. */
export async function waitFor(what: string, timeoutMs: number, check: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (let pause = 20; !(await check()); pause = Math.min(pause * 1.25, 400)) {
    if (Date.now() > end) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}.`);
    await sleep(pause);
  }
}
