import Docker from 'dockerode';

/**
 * A client of the container host at `host`, written as in DOCKER_HOST (`unix://`, `tcp://`, `ssh://`); the local daemon
 * where absent. A request to it may be silent for `silentMs`, for ever where absent, which a command's output may be. Certificates for TLS come from DOCKER_CERT_PATH and DOCKER_TLS_VERIFY as Docker's own clients take them.
 */
export function connectDocker(host?: string, { silentMs }: { silentMs?: number } = {}): Docker {
  const limit = silentMs === undefined ? {} : { timeout: silentMs };
  if (host === undefined) return new Docker(limit);
  if (host.startsWith('unix://')) {
    // `host` is named to outdo what the library may have read from the environment.
    return new Docker({
      socketPath: host.slice('unix://'.length) || '/var/run/docker.sock',
      host: undefined,
      ...limit,
    } as unknown as Docker.DockerOptions);
  }
  const url = new URL(host.includes('//') ? host : `tcp://${host}`);
  if (url.protocol === 'ssh:') {
    return new Docker({
      protocol: 'ssh',
      host: url.hostname,
      port: url.port || 22,
      username: decodeURIComponent(url.username),
      ...limit,
    });
  }
  const secure = url.protocol === 'https:' || url.port === '2376';
  return new Docker({
    host: url.hostname,
    port: url.port || (secure ? 2376 : 2375),
    ...(secure ? { protocol: 'https' as const } : {}),
    ...limit,
  });
}
