import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, type ProcessIdentity } from '../../../config/process-identity.ts';
import { readStateFile, type StackAddresses, type StackAsks } from '../../../config/stack-record.ts';
import { tryLock } from '../../home-lock.ts';
import { endProcess } from '../../processes/end-process.ts';
import { SetupError } from '../../setup-error.ts';
import type { StackEvent } from '../state/stack-event.ts';
import { writeStateFile } from '../state/stack-state.ts';
import { type ChosenPorts, choosePorts } from './choose-ports.ts';
import { type RunningService, runService } from './run-service.ts';
import type { ServiceDefinition } from './service-definition.ts';
import { stopLeftovers } from './stop-leftovers.ts';

/** A stop takes under 10 s, of which the command line needs one to end; the services have grace times of at most 5 s, one after the other. */
const stopMs = 8_000;
/** Minimum for the clean-up if the services took all the time. */
const minCleaningMs = 1_000;

export interface SuperviseOptions {
  home: string;
  /** In the order of starting; they stop in the reverse order. */
  services: ServiceDefinition[];
  /** The addresses of servers that run elsewhere. */
  elsewhere: StackAddresses;
  asks?: StackAsks;
  onEvent(event: StackEvent): void;
  /** Begun when the service started last has stopped, and finished before the stack is, unless that takes longer than `stopMs`. */
  cleanUp?(): Promise<void>;
  /** Milliseconds for stopping, after which the clean-up is not waited for; 8,000 by default. */
  stopMs?: number;
  /** Aborting stops the stack while it starts. */
  signal?: AbortSignal;
}

/** A stack that this process supervises. */
export interface Stack {
  /** With the password of the database. */
  readonly addresses: StackAddresses;
  /** Resolves when the stack has stopped; rejects with `ServiceFailed` if a service was given up. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
  /** Ends everything at once, for callers that do not wait for `stop`. */
  kill(): void;
}

export function stackRunning(supervisor: ProcessIdentity): SetupError {
  return new SetupError(
    'StackRunning',
    `The stack of this data folder already runs, supervised by process ${supervisor.pid}.`,
  );
}

/** The lock file of a home's only supervisor. */
export function stackLock(home: string): string {
  return join(home, 'stack.lock');
}

/**
 * Starts the services and keeps them running; resolves when all are ready.
 * @throws {SetupError} `StackRunning` where another process does so.
 * @throws {SetupError} `ServiceFailed` where a service cannot be kept running; the others are stopped then.
 */
export async function supervise(options: SuperviseOptions): Promise<Stack> {
  const { home, services, onEvent } = options;
  const since = performance.now();
  mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 });
  const taken = tryLock(stackLock(home));
  if ('heldBy' in taken) throw stackRunning(taken.heldBy);
  const lock = taken;

  const addresses: StackAddresses = { ...options.elsewhere };
  const running = new Map<string, RunningService>();
  const all = services.map(({ name }) => name);
  let onStopped = () => {};
  let onFailed = (_: Error) => {};
  const ended = new Promise<void>((resolve, reject) => {
    onStopped = resolve;
    onFailed = reject;
  });
  ended.catch(() => {}); // the supervisor may look at it later
  let ending: 'stopping' | 'stopped' | 'failed' | undefined;
  let failure: Error | undefined;
  let stopped: Promise<void> | undefined;
  let ports: ChosenPorts | undefined;
  const secondSignal = new AbortController();
  const startedAt = new Date().toISOString();
  const supervisor = identifyProcess(process.pid) ?? null;
  const changed = new EventTarget();

  function write(): void {
    writeStateFile(home, {
      status: ending ?? (areReady(all) ? 'ready' : 'starting'),
      supervisor: ending === 'stopped' || ending === 'failed' ? null : supervisor,
      startedAt,
      services: services.flatMap(({ name }) => running.get(name)?.record ?? []),
      addresses: { ...addresses, ...(addresses.database ? { database: withoutPassword(addresses.database) } : {}) },
      ...(options.asks ? { asks: options.asks } : {}),
      ...(failure ? { failure: failure.message } : {}),
    });
    changed.dispatchEvent(new Event('change'));
  }

  function areReady(names: string[]): boolean {
    return names.every((name) => running.get(name)?.record.state === 'ready');
  }

  async function waitFor(names: string[], signal: AbortSignal): Promise<void> {
    while (!areReady(names)) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const abort = () => reject(signal.reason);
        signal.addEventListener('abort', abort, { once: true });
        changed.addEventListener(
          'change',
          () => {
            signal.removeEventListener('abort', abort);
            resolve();
          },
          { once: true },
        );
      });
    }
  }

  function notStopped(service: string): (error: Error) => void {
    return ({ message }) => onEvent({ type: 'problem', message: `Could not stop ${service}: ${message}` });
  }

  async function stopAll(): Promise<void> {
    const stoppingSince = performance.now();
    ending = 'stopping';
    write();
    onEvent({ type: 'stack-stopping' });
    let cleaning: Promise<void> | undefined;
    for (const { name } of services.toReversed()) {
      await running.get(name)?.stop().catch(notStopped(name));
      cleaning ??= Promise.resolve(options.cleanUp?.()).catch((error: Error) => {
        onEvent({ type: 'problem', message: error.message });
      });
    }
    const leftMs = (options.stopMs ?? stopMs) - (performance.now() - stoppingSince);
    if (cleaning && !(await endsWithin(cleaning, Math.max(leftMs, minCleaningMs), secondSignal.signal))) {
      onEvent({ type: 'problem', message: 'Docker did not answer in time; sandboxes may still run.' });
    }
    ending = failure ? 'failed' : 'stopped';
    write();
    ports?.release();
    lock.release();
    onEvent({ type: 'stack-stopped', durationMs: performance.now() - stoppingSince });
    if (failure) onFailed(failure);
    else onStopped();
  }

  function stop(): Promise<void> {
    stopped ??= stopAll();
    return stopped;
  }

  try {
    const last = readStateFile(home);
    if (last !== undefined) await stopLeftovers(last, onEvent);
    ports = await choosePorts(services, last, onEvent);
    for (const definition of services) {
      const service = runService(definition, {
        ports: ports.of(definition.name),
        logFile: join(home, 'logs', `${definition.name}.log`),
        addresses: () => addresses,
        waitFor,
        onChange: write,
        onReady: (readiness) => Object.assign(addresses, readiness.addresses),
        onEvent,
        onFailure(error) {
          failure ??= error;
          onEvent({ type: 'service-failed', service: definition.name, message: error.message });
          void stop();
        },
      });
      running.set(definition.name, service);
    }
    write();
  } catch (error) {
    if (running.size > 0) await stop();
    ports?.release();
    lock.release();
    throw error;
  }

  options.signal?.addEventListener('abort', () => void stop(), { once: true });
  if (options.signal?.aborted) void stop();
  const allReady = waitFor(all, options.signal ?? new AbortController().signal);
  await Promise.race([allReady, ended]).catch(async (error) => {
    await stop();
    throw failure ?? error;
  });
  if (stopped) {
    await stopped;
    throw failure ?? options.signal?.reason;
  }
  onEvent({ type: 'stack-ready', addresses, durationMs: performance.now() - since });
  return {
    addresses,
    ended,
    stop,
    kill() {
      secondSignal.abort();
      for (const { record } of running.values()) {
        if (record.pid !== null && record.startMark !== null) {
          const target = { pid: record.pid, startMark: record.startMark };
          endProcess(target, { signal: 'SIGKILL', graceMs: 0 }).catch(notStopped(record.name));
        }
      }
    },
  };
}

/** False if it has not ended by then, or the wait was aborted. */
async function endsWithin(work: Promise<void>, ms: number, secondSignal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const signal = AbortSignal.any([secondSignal, over.signal]);
  const late = sleep(ms, false, { signal }).catch(() => false); // aborted: not waited for any longer
  const ended = await Promise.race([work.then(() => true), late]);
  over.abort();
  return ended;
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return ''; // it may contain one in any form
  const parsed = new URL(url);
  parsed.password = '';
  return parsed.href;
}
