import { connectDocker } from '../../sandbox/docker/host/connect-docker.ts';
import { hostKeyError } from '../../sandbox/docker/host/host-errors.ts';
import { defaultSockets } from './default-sockets.ts';
import { type DockerContext, readDockerContext } from './docker-context.ts';

const answerMs = 5_000;

/** A Docker daemon that answers. */
export interface DockerDaemon {
  /** Its address, as DOCKER_HOST is written. */
  host: string;
  version: string;
}

/** Why no daemon was found: none answers, no permission for its socket, or DOCKER_HOST or the context does not work. */
export type DaemonAbsence =
  | { reason: 'no-daemon' }
  | { reason: 'permission'; socket: string }
  | { reason: 'host-silent'; host: string; error: Error }
  | { reason: 'context-unusable'; context: DockerContext; error?: Error };

/**
 * Looks for a daemon at DOCKER_HOST, else in the context of Docker's CLI, else at the usual sockets. A context that does not answer is
 * skipped only if DOCKER_CONTEXT does not name it and it is on this machine: otherwise the person means that daemon and no other.
 */
export async function findDaemon(
  configured: string | undefined,
  environment: Record<string, string | undefined>,
): Promise<DockerDaemon | DaemonAbsence> {
  if (configured !== undefined) {
    const answer = await askDaemon(configured, environment);
    return 'error' in answer ? { reason: 'host-silent', host: configured, error: answer.error } : answer;
  }
  const context = readDockerContext(environment);
  if (context) {
    const answer = await askContext(context, environment);
    if ('version' in answer) return answer;
    const isLocal = context.host === undefined || context.host.startsWith('unix://');
    if (context.named || !isLocal) return { reason: 'context-unusable', context, ...answer };
  }
  let forbidden: string | undefined;
  for (const socket of defaultSockets(environment)) {
    const answer = await askDaemon(`unix://${socket}`, environment);
    if (!('error' in answer)) return answer;
    if ((answer.error as NodeJS.ErrnoException).code === 'EACCES') forbidden ??= socket;
  }
  return forbidden === undefined ? { reason: 'no-daemon' } : { reason: 'permission', socket: forbidden };
}

/** Does not connect to a context with its own certificates: workers are given only DOCKER_HOST and the person's DOCKER_CERT_PATH. */
async function askContext(
  { host, certificates }: DockerContext,
  environment: Record<string, string | undefined>,
): Promise<DockerDaemon | { error?: Error }> {
  return host === undefined || certificates !== undefined ? {} : askDaemon(host, environment);
}

/** The daemon at this address, or the error with which it did not answer. */
export async function askDaemon(
  host: string,
  environment?: Record<string, string | undefined>,
): Promise<DockerDaemon | { error: Error }> {
  const abortSignal = AbortSignal.timeout(answerMs);
  try {
    const docker = connectDocker(host, { environment }) as unknown as {
      version(options: { abortSignal: AbortSignal }): Promise<{ Version: string }>; // its types leave the options out
    };
    const { Version } = await docker.version({ abortSignal });
    return { host, version: Version };
  } catch (error) {
    if (abortSignal.aborted) return { error: new Error(`no answer within ${answerMs / 1000} s`) };
    return { error: hostKeyError(error) ?? (error as Error) };
  }
}
