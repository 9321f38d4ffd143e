import { setTimeout as sleep } from 'node:timers/promises';
import { ContainerHostUnavailableError } from '../../sandbox/errors.ts';
import type { Sandboxes } from '../../sandbox/sandbox.ts';
import type { ActivitySignals } from '../heartbeat.ts';

/** Milliseconds between two checks. */
const pause = 1_000;

/** Whether an unreachable container host responds again within `patience` milliseconds; `name` is a sandbox to ask it for, which need not exist. */
export async function answersAgain(
  sandboxes: Pick<Sandboxes, 'find'>,
  name: string,
  patience: number,
  { cancel, detach }: ActivitySignals,
): Promise<boolean> {
  const over = new AbortController();
  const signal = AbortSignal.any([cancel, detach, over.signal]);
  try {
    return await Promise.race([untilItAnswers(sandboxes, name, signal), sleep(patience, false, { signal })]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    over.abort();
  }
}

async function untilItAnswers(sandboxes: Pick<Sandboxes, 'find'>, name: string, signal: AbortSignal): Promise<true> {
  for (;;) {
    try {
      await sandboxes.find(name);
      return true;
    } catch (error) {
      if (!(error instanceof ContainerHostUnavailableError)) return true;
    }
    await sleep(pause, undefined, { signal });
  }
}
