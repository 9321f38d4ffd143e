import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export const processIdentitySchema = z.object({ pid: z.number().int().positive(), startMark: z.string() });

/** A process, distinct from a later one with the same pid: `startMark` is when it started, in the system's own terms. */
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** The identity of the process that has the pid now; undefined if none runs (a zombie does not). */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startMark = process.platform === 'linux' ? linuxStartMark(pid) : portableStartMark(pid);
  return startMark === undefined ? undefined : { pid, startMark };
}

/** True while that very process runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startMark === identity.startMark;
}

/** When the process started, in milliseconds since the epoch; NaN if the mark is not a date. Not for Linux, whose marks are ticks since boot. */
export function startTime({ startMark }: ProcessIdentity): number {
  return Date.parse(`${startMark} UTC`);
}

function linuxStartMark(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
  // The command's name is in parentheses and may contain anything; the fields after it are counted from the state.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  return `${bootId()}/${fields[19]}`; // ticks since boot say nothing about which boot it was
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function portableStartMark(pid: number): string | undefined {
  try {
    // A fixed locale and time zone, so that every process reads the same mark.
    const environment = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const said = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', env: environment });
    const [state, ...started] = said.trim().split(/\s+/);
    return state === undefined || state.startsWith('Z') ? undefined : started.join(' ');
  } catch (error) {
    if ((error as { status?: number }).status === 1) return undefined; // ps found no such process
    throw error;
  }
}
