import { connectDocker } from '../../sandbox/connect-docker.ts';
import { type DockerContext, readDockerContext } from './docker-context.ts';
import { usualSockets } from './usual-sockets.ts';

const answerMs = 5_000;

/** A Docker daemon that answers. */
export interface DockerDaemon {
  /** Its address, as DOCKER_HOST is written. */
  host: string;
  version: string;
}

/** Why no daemon answered: no socket, nobody behind it, or not allowed to use it; or what names one cannot be used. */
export type DaemonAbsence =
  | { reason: 'no-daemon' }
  | { reason: 'permission'; socket: string }
  | { reason: 'host-silent'; host: string; error: Error }
  | { reason: 'context-unusable'; context: DockerContext; error?: Error };

/**
 * Asks whether a daemon is there: the one that DOCKER_HOST names, else that of the `docker` command's context, else those behind the
 * usual sockets. A context for this machine that is merely current is passed over where it does not answer; another one is what
 * the person meant.
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
  for (const socket of usualSockets(environment)) {
    const answer = await askDaemon(`unix://${socket}`, environment);
    if (!('error' in answer)) return answer;
    if ((answer.error as NodeJS.ErrnoException).code === 'EACCES') forbidden ??= socket;
  }
  return forbidden === undefined ? { reason: 'no-daemon' } : { reason: 'permission', socket: forbidden };
}

/** Its certificates would have to be told to every process that reaches it, which DOCKER_CERT_PATH does. */
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
    return { error: abortSignal.aborted ? new Error(`no answer within ${answerMs / 1000} s`) : (error as Error) };
  }
}
