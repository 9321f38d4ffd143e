import type { DockerContext } from './docker-context.ts';
import type { DaemonAbsence } from './find-daemon.ts';

/** What a person does about a daemon that does not answer, on this system. */
export function describeAbsence(absence: DaemonAbsence): string {
  switch (absence.reason) {
    case 'host-silent':
      return `Expected a Docker daemon at DOCKER_HOST=${absence.host}, got: ${absence.error.message}. Start it, correct the setting, or unset it.`;
    case 'context-unusable':
      return describeContext(absence.context, absence.error);
    case 'permission':
      return (
        `Expected access to Docker's socket ${absence.socket}, but this user has none. ` +
        'Join its group (sudo usermod -aG docker "$USER", then log in again) and run this again.'
      );
    case 'no-daemon':
      return `Expected a Docker daemon, but none answers. ${howToStart()} Or name one with DOCKER_HOST.`;
  }
}

function describeContext({ name, host, certificates, named }: DockerContext, error: Error | undefined): string {
  const by = named ? `DOCKER_CONTEXT=${name}` : `the docker command's context ${name}`;
  if (host === undefined) return `Expected a context of Docker's for ${by}, found none. See docker context ls.`;
  if (certificates !== undefined) {
    return `Expected ${by} to have no certificates, but it has some. Set DOCKER_HOST=${host} and DOCKER_CERT_PATH=${certificates}.`;
  }
  return `Expected a Docker daemon at ${host}, by ${by}, got: ${error?.message}. Start it, or name another one with DOCKER_HOST.`;
}

function howToStart(): string {
  if (process.platform === 'darwin') return 'Start Docker Desktop (open -a Docker), OrbStack or Colima (colima start).';
  if (process.platform === 'linux') {
    return 'Start it (sudo systemctl start docker), or install it: sudo apt-get install docker.io on Debian and Ubuntu, else https://docs.docker.com/engine/install.';
  }
  return 'Start Docker Desktop.';
}
