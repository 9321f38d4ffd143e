import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';
import { algorithmsOf, isKnownKey, knownHostsFiles, readHostKeys } from './known-hosts.ts';

export interface ConnectDockerOptions {
  /** Milliseconds without data after which a request fails; no limit by default, because a command may print nothing for long. */
  silentMs?: number;
  /** Holds DOCKER_CERT_PATH, DOCKER_TLS_VERIFY and SSH_AUTH_SOCK, which mean what they mean to Docker's CLI; `process.env` by default. */
  environment?: Record<string, string | undefined> | undefined;
  /** Where the keys of hosts that `ssh://` names are; OpenSSH's own files by default. */
  knownHosts?: string[];
}

/** Overrides what the library reads from `process.env`, which may describe another host. */
const nothing = { host: undefined, protocol: 'http', ca: undefined, cert: undefined, key: undefined };

/**
 * A client of the container host at `host`, written as in DOCKER_HOST (`unix://`, `tcp://`, `ssh://`); the one that DOCKER_HOST names, else the local
 * daemon, where absent.
 */
export function connectDocker(named?: string, options: ConnectDockerOptions = {}): Docker {
  const limit = options.silentMs === undefined ? {} : { timeout: options.silentMs };
  const { environment = process.env, knownHosts = knownHostsFiles } = options;
  const host = named ?? environment.DOCKER_HOST?.trim();
  if (!host) return new Docker(limit);
  const reached = { ...nothing, ...reach(host, environment, knownHosts), ...limit };
  return new Docker(reached as unknown as Docker.DockerOptions);
}

function reach(
  host: string,
  environment: Record<string, string | undefined>,
  knownHosts: string[],
): Docker.DockerOptions {
  if (host.startsWith('unix://')) return { socketPath: host.slice('unix://'.length) || '/var/run/docker.sock' };
  const url = new URL(host.includes('//') ? host : `tcp://${host}`);
  if (url.protocol === 'ssh:') {
    const agent = environment.SSH_AUTH_SOCK;
    return {
      protocol: 'ssh',
      host: url.hostname,
      port: url.port || 22,
      username: decodeURIComponent(url.username),
      sshOptions: { ...(agent ? { agent } : {}), ...verifyHost(url, knownHosts) },
    };
  }
  const secure = url.protocol === 'https:' || url.port === '2376' || Boolean(environment.DOCKER_TLS_VERIFY);
  return {
    host: url.hostname,
    port: url.port || (secure ? 2376 : 2375),
    ...(secure ? { protocol: 'https', ...readCertificates(environment.DOCKER_CERT_PATH) } : {}),
  };
}

/** Options of the SSH client, which otherwise takes any key that the host shows. */
function verifyHost(url: URL, knownHosts: string[]) {
  const read = () => readHostKeys(knownHosts, url.hostname, Number(url.port || 22));
  const serverHostKey = algorithmsOf(read());
  return {
    // Read anew, since a person may have accepted or revoked a key since.
    hostVerifier: (key: Buffer) => isKnownKey(read(), key),
    ...(serverHostKey && { algorithms: { serverHostKey } }),
  };
}

function readCertificates(folder: string | undefined): Pick<Docker.DockerOptions, 'ca' | 'cert' | 'key'> {
  if (!folder) return {};
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
}
