import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { connectDocker } from '../../sandbox/connect-docker.ts';

const answerMs = 5_000;

/** A Docker daemon that answers. */
export interface DockerDaemon {
  /** Its address, as DOCKER_HOST is written. */
  host: string;
  version: string;
}

/** Why no daemon answered: no socket, nobody behind it, or not allowed to use it. */
export type DaemonAbsence =
  | { reason: 'no-daemon' }
  | { reason: 'permission'; socket: string }
  | { reason: 'host-silent'; host: string; error: Error };

/** Asks the daemon named by DOCKER_HOST, or those behind the usual sockets, whether it is there. */
export async function findDaemon(
  configured: string | undefined,
  environment: Record<string, string | undefined>,
): Promise<DockerDaemon | DaemonAbsence> {
  if (configured !== undefined) {
    const answer = await askDaemon(configured);
    return 'error' in answer ? { reason: 'host-silent', host: configured, error: answer.error } : answer;
  }
  let forbidden: string | undefined;
  for (const socket of usualSockets(environment).filter(existsSync)) {
    const answer = await askDaemon(`unix://${socket}`);
    if (!('error' in answer)) return answer;
    if ((answer.error as NodeJS.ErrnoException).code === 'EACCES') forbidden ??= socket;
  }
  return forbidden === undefined ? { reason: 'no-daemon' } : { reason: 'permission', socket: forbidden };
}

/** The daemon at this address, or the error with which it did not answer. */
export async function askDaemon(host: string): Promise<DockerDaemon | { error: Error }> {
  const abortSignal = AbortSignal.timeout(answerMs);
  try {
    const docker = connectDocker(host) as unknown as {
      version(options: { abortSignal: AbortSignal }): Promise<{ Version: string }>; // its types leave the options out
    };
    const { Version } = await docker.version({ abortSignal });
    return { host, version: Version };
  } catch (error) {
    return { error: abortSignal.aborted ? new Error(`no answer within ${answerMs / 1000} s`) : (error as Error) };
  }
}

function usualSockets(environment: Record<string, string | undefined>): string[] {
  const home = homedir();
  return [
    '/var/run/docker.sock',
    join(home, '.docker', 'run', 'docker.sock'), // Docker Desktop
    join(home, '.orbstack', 'run', 'docker.sock'),
    join(home, '.colima', 'default', 'docker.sock'),
    ...(environment.XDG_RUNTIME_DIR ? [join(environment.XDG_RUNTIME_DIR, 'docker.sock')] : []), // rootless
  ];
}
