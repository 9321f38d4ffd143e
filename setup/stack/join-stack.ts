import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { readStateFile, type StackAddresses, type StackState } from '../../config/stack-record.ts';
import { lockHolder } from '../home-lock.ts';
import { SetupError } from '../setup-error.ts';
import type { StackEvent } from './state/stack-event.ts';
import { stackLock } from './supervisor/supervise.ts';

const pollMs = 200;

/** A stack that another process supervises. */
export interface JoinedStack {
  /** Without the database's password, which `readAddresses` includes. */
  addresses: StackAddresses;
  /** Follows it until it stops; aborting the signal only ends the following. Rejects if a service was given up or the supervisor was killed. */
  follow(): Promise<void>;
}

/**
 * Joins the stack that another process runs: waits until it is ready, reporting what happens to it. Undefined if none runs.
 * @throws {SetupError} `ServiceFailed` if it does not become ready.
 */
export async function joinStack(options: {
  home: string;
  onEvent(event: StackEvent): void;
  signal: AbortSignal;
}): Promise<JoinedStack | undefined> {
  const { home, onEvent, signal } = options;
  let last: StackState | undefined;

  /** Reads the state once; false if the stack has ended. */
  function look(): boolean {
    const holder = lockHolder(stackLock(home));
    const now = readStateFile(home);
    // A new stack has written nothing yet: the record is still the earlier one's, which may have been killed while ready.
    const isOfBefore = holder !== undefined && !isDeepStrictEqual(now?.supervisor, holder);
    if (now !== undefined && !isOfBefore) {
      reportChanges(last, now, onEvent);
      last = now;
    }
    return holder !== undefined;
  }

  if (lockHolder(stackLock(home)) === undefined) return undefined;
  look();
  while (last?.status !== 'ready') {
    await sleep(pollMs, undefined, { signal });
    if (look()) continue;
    if (last?.failure !== undefined) throw new SetupError('ServiceFailed', last.failure);
    return undefined;
  }
  return {
    addresses: last.addresses,
    async follow() {
      while (!signal.aborted) {
        await sleep(pollMs);
        if (look()) continue;
        if (last?.status === 'failed') throw new SetupError('ServiceFailed', last.failure ?? 'the stack failed');
        if (last?.status !== 'stopped') {
          throw new SetupError(
            'ServiceFailed',
            'The supervisor of the stack was killed. Run `longhaul up` to continue.',
          );
        }
        return;
      }
    },
  };
}

function reportChanges(before: StackState | undefined, now: StackState, onEvent: (event: StackEvent) => void): void {
  for (const service of now.services) {
    const earlier = before?.services.find(({ name }) => name === service.name);
    if (earlier?.state === service.state && earlier.pid === service.pid) continue;
    const { name, state, url, restarts } = service;
    if (state === 'ready') {
      onEvent({ type: 'service-ready', service: name, url, durationMs: 0, restarts: before ? restarts : 0 });
    }
    if (state === 'restarting') onEvent({ type: 'service-ended', service: name, how: 'see its log', retryMs: 0 });
    if (state === 'stopped' && before) onEvent({ type: 'service-stopped', service: name, killed: false });
  }
}
