import { isRunning } from '../../config/process-identity.ts';
import { readStateFile, runningServices } from '../../config/stack-record.ts';
import { tryLock } from '../home-lock.ts';
import { sendSignal, waitForEnd } from '../processes/end-process.ts';
import type { StackEvent } from './state/stack-event.ts';
import { writeStateFile } from './state/stack-state.ts';
import { stopLeftovers } from './supervisor/stop-leftovers.ts';
import { stackLock, stackRunning } from './supervisor/supervise.ts';

/** Milliseconds. A supervisor stops its services within 10 s; one that takes longer than this is killed, and its services are stopped from here. */
const supervisorMs = 15_000;

/** Stops a home's stack, wherever its supervisor runs, and what a killed supervisor left; returns `not-running` if there is nothing to stop. */
export async function stopStack(options: {
  home: string;
  /** As `SuperviseOptions.cleanUp`, for a supervisor that could not do it itself. */
  cleanUp(): Promise<void>;
  onEvent(event: StackEvent): void;
}): Promise<'stopped' | 'not-running'> {
  const { home, onEvent } = options;
  const since = performance.now();
  const state = readStateFile(home);
  if (state === undefined) return 'not-running';
  const { supervisor } = state;
  const supervised = supervisor !== null && isRunning(supervisor);
  if (!supervised && runningServices(state).length === 0) return 'not-running';
  onEvent({ type: 'stack-stopping' });
  if (supervised) {
    sendSignal(supervisor.pid, 'SIGTERM');
    if (!(await waitForEnd(supervisor, supervisorMs))) {
      onEvent({ type: 'problem', message: `The supervisor, process ${supervisor.pid}, did not stop; killing it.` });
      sendSignal(supervisor.pid, 'SIGKILL');
      await waitForEnd(supervisor, 2_000);
    }
  }
  const lock = tryLock(stackLock(home));
  if ('heldBy' in lock) throw stackRunning(lock.heldBy); // another `up` was quicker
  try {
    const left = readStateFile(home);
    if (left !== undefined && left.status !== 'stopped') {
      await stopLeftovers(left, onEvent);
      await options.cleanUp();
      const services = left.services.map((service) => ({
        ...service,
        state: 'stopped' as const,
        pid: null,
        startMark: null,
      }));
      writeStateFile(home, { ...left, status: 'stopped', supervisor: null, services });
    }
  } finally {
    lock.release();
  }
  onEvent({ type: 'stack-stopped', durationMs: performance.now() - since });
  return 'stopped';
}
