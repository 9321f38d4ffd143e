import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, type ProcessIdentity } from '../../../config/process-identity.ts';
import type { ServiceRecord, StackAddresses } from '../../../config/stack-record.ts';
import { endProcess } from '../../processes/end-process.ts';
import { readTail } from '../../processes/read-tail.ts';
import { isSetupError, SetupError } from '../../setup-error.ts';
import type { StackEvent } from '../state/stack-event.ts';
import type { ServiceContext, ServiceDefinition, ServiceReadiness } from './service-definition.ts';
import { type LogReader, openServiceLog } from './service-log.ts';

/**
 * How often in a row a service may end early or fail to become ready, and what counts as early: Postgres and the worker are up in about 2 s on two
 * cores. A service that was never ready is given up sooner, since somebody waits for the start.
 */
const maxFailures = { atFirst: 3, later: 5 };
const steadyMs = 10_000;
const firstPauseMs = 200;
const readyPollMs = 50;

export interface ServiceDependencies {
  ports: Record<string, number>;
  logFile: string;
  addresses(): StackAddresses;
  /** Resolves when the named services are ready. */
  waitFor(names: string[], signal: AbortSignal): Promise<void>;
  /** Called at each change of the record, before anything else happens. */
  onChange(): void;
  onReady(readiness: ServiceReadiness): void;
  onEvent(event: StackEvent): void;
  /** Called once, if the service is given up. */
  onFailure(error: SetupError): void;
}

/** A service that is kept running until it is stopped or given up. */
export interface RunningService {
  readonly record: ServiceRecord;
  stop(): Promise<void>;
}

/** Starts a service and restarts it whenever it ends, with growing pauses; gives up after a few early ends in a row. */
export function runService(definition: ServiceDefinition, dependencies: ServiceDependencies): RunningService {
  const stopping = new AbortController();
  const { onEvent } = dependencies;
  const record: ServiceRecord = {
    name: definition.name,
    state: 'waiting',
    pid: null,
    startMark: null,
    startedAt: null,
    ports: dependencies.ports,
    url: null,
    restarts: 0,
    log: dependencies.logFile,
    stop: definition.stop,
  };
  const change = (changes: Partial<ServiceRecord>) => {
    Object.assign(record, changes);
    dependencies.onChange();
  };
  let current: ProcessIdentity | undefined;
  let everReady = false;
  let becameReady = false;

  /** One life of the process; resolves with how it ended. */
  async function live(): Promise<string> {
    const context = { ports: dependencies.ports, addresses: dependencies.addresses(), signal: stopping.signal };
    const command = await definition.command(context);
    stopping.signal.throwIfAborted();
    const log = openServiceLog(dependencies.logFile);
    const since = performance.now();
    const child = spawn(command.file, command.parameters, {
      detached: true, // its own process group: the terminal's Ctrl-C reaches only the supervisor, which stops in order
      stdio: ['ignore', log.descriptor, log.descriptor, command.endsWithSupervisor ? 'ipc' : 'ignore'],
      env: command.environment,
      ...(command.folder ? { cwd: command.folder } : {}),
      ...command.user,
    });
    const ended = howItEnds(child);
    log.close();
    current = child.pid === undefined ? undefined : identifyProcess(child.pid);
    if (current !== undefined) {
      change({ state: 'starting', ...current, startedAt: new Date().toISOString() });
      onEvent({ type: 'service-starting', service: definition.name });
    }
    const outcome = await becomeReady(ended, { ...context, signal: stopping.signal }, log.reader).catch(
      async (error) => {
        if (current && !stopping.signal.aborted) await endProcess(current, { signal: 'SIGKILL', graceMs: 0 });
        throw error;
      },
    );
    if ('how' in outcome) return outcome.how;
    everReady = true;
    becameReady = true;
    dependencies.onReady(outcome);
    change({ state: 'ready', url: outcome.url });
    const durationMs = performance.now() - since;
    onEvent({
      type: 'service-ready',
      service: definition.name,
      url: outcome.url,
      durationMs,
      restarts: record.restarts,
    });
    return ended;
  }

  /** Asks until the service is ready, its process ends, or its time is up (it then rejects with the latest problem). */
  async function becomeReady(
    ended: Promise<string>,
    context: ServiceContext,
    log: LogReader,
  ): Promise<ServiceReadiness | { how: string }> {
    let last: Error | undefined;
    const over = new AbortController();
    const signal = AbortSignal.any([context.signal, over.signal, AbortSignal.timeout(definition.readyMs)]);
    const asking = (async () => {
      for (;;) {
        try {
          return await definition.ready({ ...context, signal }, log);
        } catch (error) {
          if (isSetupError(error, 'ServiceUnstartable')) throw error;
          if (!signal.aborted) last = error as Error;
        }
        await sleep(readyPollMs, undefined, { signal });
      }
    })().catch((error: Error) => {
      if (context.signal.aborted || isSetupError(error, 'ServiceUnstartable')) throw error;
      const why = last === undefined ? '' : `: ${last.message}`;
      throw new Error(`not ready within ${definition.readyMs / 1000} s${why}`, { cause: last });
    });
    asking.catch(() => {}); // if the process ends first, nobody else handles the rejection
    return Promise.race([ended.then((how) => ({ how })), asking]).finally(() => over.abort());
  }

  async function keepRunning(): Promise<void> {
    let failures = 0;
    for (;;) {
      await dependencies.waitFor(definition.after, stopping.signal);
      const since = performance.now();
      becameReady = false;
      let how: string;
      try {
        how = await live();
      } catch (error) {
        if (stopping.signal.aborted || isSetupError(error, 'ServiceUnstartable')) throw error;
        how = (error as Error).message;
      }
      if (stopping.signal.aborted) return;
      const wasSteady = becameReady && performance.now() - since >= steadyMs;
      failures = wasSteady ? 1 : failures + 1;
      if (failures >= (everReady ? maxFailures.later : maxFailures.atFirst)) {
        throw new SetupError(
          'ServiceFailed',
          `${definition.name} ended ${failures} times in a row, before it was ready or within ${steadyMs / 1000} s of its start. Last time: ${how}.\n` +
            `The end of its log, ${dependencies.logFile}:\n${readTail(dependencies.logFile, 12)}`,
        );
      }
      const retryMs = firstPauseMs * 2 ** (failures - 1);
      current = undefined;
      change({ state: 'restarting', pid: null, startMark: null, startedAt: null, restarts: record.restarts + 1 });
      onEvent({ type: 'service-ended', service: definition.name, how, retryMs });
      await sleep(retryMs, undefined, { signal: stopping.signal });
    }
  }

  const over = keepRunning().catch((error: Error) => {
    if (stopping.signal.aborted) return;
    change({ state: 'failed', pid: null, startMark: null });
    dependencies.onFailure(
      isSetupError(error, 'ServiceFailed')
        ? error
        : new SetupError('ServiceFailed', `Could not start ${definition.name}: ${error.message}`, { cause: error }),
    );
  });

  return {
    record,
    async stop() {
      stopping.abort();
      if (current !== undefined && record.pid !== null) {
        change({ state: 'stopping' });
        const how = await endProcess(current, definition.stop);
        if (how !== 'gone') onEvent({ type: 'service-stopped', service: definition.name, killed: how === 'killed' });
      }
      await over;
      if (record.state !== 'failed') change({ state: 'stopped', pid: null, startMark: null });
    },
  };
}

async function howItEnds(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return signal ?? `exit code ${code}`;
  } catch (error) {
    return (error as Error).message; // it could not be spawned
  }
}
