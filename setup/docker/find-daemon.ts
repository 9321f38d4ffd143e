import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { connectDocker } from '../../sandbox/connect-docker.ts';

const ANSWER_MS = 5_000;

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
    return answer instanceof Error ? { reason: 'host-silent', host: configured, error: answer } : answer;
  }
  let forbidden: string | undefined;
  for (const socket of usualSockets(environment).filter(existsSync)) {
    const answer = await askDaemon(`unix://${socket}`);
    if (!(answer instanceof Error)) return answer;
    if ((answer as NodeJS.ErrnoException).code === 'EACCES') forbidden ??= socket;
  }
  return forbidden === undefined ? { reason: 'no-daemon' } : { reason: 'permission', socket: forbidden };
}

/** The daemon at this address, or the error with which it did not answer. */
export async function askDaemon(host: string): Promise<DockerDaemon | Error> {
  try {
    const docker = connectDocker(host);
    const { Version } = await within(docker.version(), ANSWER_MS);
    return { host, version: Version };
  } catch (error) {
    return error as Error;
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

async function within<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
