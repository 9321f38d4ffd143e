import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from '../../config/process-identity.ts';

const pollMs = 20;

export interface EndRequest {
  signal: NodeJS.Signals;
  /** Milliseconds between the signal and SIGKILL. */
  graceMs: number;
}

/**
 * Ends a process that leads its own process group: the signal to it alone, after the grace SIGKILL to it, then SIGKILL to
 * whatever is left of its group. Returns how it went; `gone` where it was not running.
 */
export async function endProcess(target: ProcessIdentity, request: EndRequest): Promise<'gone' | 'ended' | 'killed'> {
  if (!isRunning(target)) return 'gone';
  sendSignal(target.pid, request.signal);
  const ended = await waitForEnd(target, request.graceMs);
  if (!ended) {
    sendSignal(target.pid, 'SIGKILL');
    await waitForEnd(target, 2_000);
  }
  sendSignal(-target.pid, 'SIGKILL');
  return ended ? 'ended' : 'killed';
}

/** Waits until the process has ended; false if it still runs after that many milliseconds. */
export async function waitForEnd(target: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(target)) {
    if (Date.now() >= deadline) return false;
    await sleep(pollMs);
  }
  return true;
}

/** Sends a signal to a process, or to a process group of ours if the pid is negative; does nothing if it has already ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isGone = code === 'ESRCH' || (pid < 0 && code === 'EPERM'); // macOS fails with EPERM if a group has only zombies
    if (!isGone) throw error;
  }
}
