import type { Log } from '../domain/telemetry/log.ts';

/** Milliseconds between two complaints of the same words: a collector that is away says so at each batch. */
const pauseMs = 60_000;

/** Warns of trouble, at most once a minute for the same message. */
export function complainOnce(log: Pick<Log, 'warn'>): (message: string, error: unknown) => void {
  const last = new Map<string, number>();
  return (message, error) => {
    const now = performance.now();
    if (now - (last.get(message) ?? Number.NEGATIVE_INFINITY) < pauseMs) return;
    last.set(message, now);
    log.warn(message, { error });
  };
}
