import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackAddresses } from '../../config/stack-record.ts';
import { lockHolder } from '../home-lock.ts';
import { readTail } from '../processes/read-tail.ts';
import { SetupError } from '../setup-error.ts';
import { joinStack } from './join-stack.ts';
import { builtProgram } from './services/program.ts';
import type { StackEvent } from './state/stack-event.ts';
import { openServiceLog } from './supervisor/service-log.ts';
import { stackLock } from './supervisor/supervise.ts';

/** Milliseconds in which a supervisor ends after it reported why its stack failed. */
const failedMs = 2_000;

/**
 * Starts the stack in a process of its own that outlives this one and its terminal, log in `<home>/logs/stack.log`; resolves
 * when it is ready. Aborting stops it and waits for that.
 * @throws {SetupError} `ServiceFailed` saying why it does not come up.
 */
export async function detachStack(options: {
  home: string;
  /** With absolute paths, as `withEnvFile` returns it, because the new process has another current folder. */
  environment: Record<string, string | undefined>;
  onEvent(event: StackEvent): void;
  signal: AbortSignal;
}): Promise<{ pid: number; addresses: StackAddresses }> {
  const { home, environment, onEvent, signal } = options;
  const logFile = join(home, 'logs', 'stack.log');
  const log = openServiceLog(logFile);
  const child = spawn(process.execPath, ['--enable-source-maps', builtProgram('setup/stack/main')], {
    detached: true,
    stdio: ['ignore', log.descriptor, log.descriptor],
    env: { ...environment, LONGHAUL_HOME: home },
    cwd: '/',
  });
  closeSync(log.descriptor);
  await once(child, 'spawn');
  const pid = child.pid as number;
  child.unref();
  const ended = once(child, 'exit').then(() => 'ended' as const);
  const untilEnded = async () => {
    child.ref();
    await ended;
  };
  const stopOwn = async () => {
    child.kill('SIGTERM');
    await untilEnded();
  };
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  try {
    for (;;) {
      const stack = await joinStack({ home, onEvent, signal });
      signal.throwIfAborted();
      const supervisor = stack && lockHolder(stackLock(home));
      if (stack !== undefined && supervisor !== undefined) {
        // Another process has started it at the same time. Ours, still in its set-up, would start one more if that were stopped now.
        if (supervisor.pid !== pid) await stopOwn();
        return { pid: supervisor.pid, addresses: stack.addresses };
      }
      const hasEnded = (await Promise.race([ended, sleep(100, undefined, { signal })])) === 'ended';
      if (hasEnded && lockHolder(stackLock(home)) === undefined) {
        throw new SetupError(
          'ServiceFailed',
          `The stack did not start. The end of its log, ${logFile}:\n${readTail(logFile, 20)}`,
        );
      }
    }
  } catch (error) {
    if (signal.aborted) await untilEnded();
    else if ((await Promise.race([ended, sleep(failedMs)])) !== 'ended') await stopOwn(); // the failed one was another's
    throw error;
  }
}
