import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from '../home-lock.ts';
import { forgetOwnDaemon, hasDaemonRecord, readOwnDaemon } from './daemon-record.ts';
import { askDaemon } from './find-daemon.ts';
import { type StartRequest, startDaemon } from './start-daemon.ts';

const lookMs = 2_000;

/**
 * Starts the Docker daemon again whenever the one that this home's set-up started has died. One that set-up found running
 * already is left to whoever started it.
 */
export function watchOwnDaemon(
  request: Omit<StartRequest, 'signal'> & { host: string; onProblem(message: string): void },
): { stop(): Promise<void> } {
  const { home, host, onProblem } = request;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function look(): Promise<void> {
    if (!hasDaemonRecord(home) || readOwnDaemon(home) !== undefined) return;
    await withLock(join(home, 'setup.lock'), { signal }, async () => {
      const answer = await askDaemon(host, request.environment);
      if ('error' in answer) {
        onProblem('The Docker daemon has ended; starting it again.');
        await startDaemon({ ...request, signal });
        onProblem('The Docker daemon is ready again.');
      } else if (readOwnDaemon(home) === undefined) {
        forgetOwnDaemon(home); // somebody else started one in the meantime
      }
    });
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await look().catch((error: Error) => {
        if (!signal.aborted) onProblem(error.message);
      });
      await sleep(lookMs, undefined, { signal }).catch(() => {}); // only aborted, which the loop sees
    }
  }

  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}
