import { setTimeout as sleep } from 'node:timers/promises';

/** Polls every 100 ms until the check holds. */
export async function waitFor(what: string, timeoutMs: number, check: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}.`);
    await sleep(100);
  }
}
