import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';

export interface ConnectDockerOptions {
  /** Milliseconds without data after which a request fails; no limit by default, because a command may print nothing for long. */
  silentMs?: number;
  /** Holds DOCKER_CERT_PATH, DOCKER_TLS_VERIFY and SSH_AUTH_SOCK, which mean what they mean to Docker's CLI; `process.env` by default. */
  environment?: Record<string, string | undefined> | undefined;
}

/** Overrides what the library reads from `process.env`, which may describe another host. */
const nothing = { host: undefined, protocol: 'http', ca: undefined, cert: undefined, key: undefined };

/**
 * A client of the container host at `host`, written as in DOCKER_HOST (`unix://`, `tcp://`, `ssh://`); the local daemon
 * where absent.
 */
export function connectDocker(host?: string, options: ConnectDockerOptions = {}): Docker {
  const limit = options.silentMs === undefined ? {} : { timeout: options.silentMs };
  if (host === undefined) return new Docker(limit);
  const reached = { ...nothing, ...reach(host, options.environment ?? process.env), ...limit };
  return new Docker(reached as unknown as Docker.DockerOptions);
}

function reach(host: string, environment: Record<string, string | undefined>): Docker.DockerOptions {
  if (host.startsWith('unix://')) return { socketPath: host.slice('unix://'.length) || '/var/run/docker.sock' };
  const url = new URL(host.includes('//') ? host : `tcp://${host}`);
  if (url.protocol === 'ssh:') {
    const agent = environment.SSH_AUTH_SOCK;
    return {
      protocol: 'ssh',
      host: url.hostname,
      port: url.port || 22,
      username: decodeURIComponent(url.username),
      ...(agent ? { sshOptions: { agent } } : {}),
    };
  }
  const secure = url.protocol === 'https:' || url.port === '2376' || Boolean(environment.DOCKER_TLS_VERIFY);
  return {
    host: url.hostname,
    port: url.port || (secure ? 2376 : 2375),
    ...(secure ? { protocol: 'https', ...readCertificates(environment.DOCKER_CERT_PATH) } : {}),
  };
}

function readCertificates(folder: string | undefined): Pick<Docker.DockerOptions, 'ca' | 'cert' | 'key'> {
  if (!folder) return {};
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
}
