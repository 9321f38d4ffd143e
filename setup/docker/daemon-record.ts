import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, type ProcessIdentity, processIdentitySchema } from '../../config/process-identity.ts';
import { writeFileAtomically } from '../write-file-atomically.ts';

/** The daemon that this home's set-up started and that still runs; undefined if there is none. */
export function readOwnDaemon(home: string): ProcessIdentity | undefined {
  const file = recordFile(home);
  if (!existsSync(file)) return undefined;
  const daemon = processIdentitySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return isRunning(daemon) ? daemon : undefined;
}

/** Whether this home once started a daemon that it has not stopped. */
export function hasDaemonRecord(home: string): boolean {
  return existsSync(recordFile(home));
}

/** Remembers the daemon that was started. */
export function recordOwnDaemon(home: string, daemon: ProcessIdentity): void {
  writeFileAtomically(recordFile(home), `${JSON.stringify(daemon)}\n`);
}

/** Forgets the daemon, after it was stopped. */
export function forgetOwnDaemon(home: string): void {
  rmSync(recordFile(home), { force: true });
}

function recordFile(home: string): string {
  return join(home, 'docker.json');
}
