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
        `Expected to use Docker's socket ${absence.socket}, this user may not. ` +
        'Join its group (sudo usermod -aG docker "$USER", then log in again) and start anew.'
      );
    case 'no-daemon':
      return `Expected a Docker daemon, none answers. ${howToStart()} Or name one with DOCKER_HOST.`;
  }
}

function describeContext({ name, host, certificates, named }: DockerContext, error: Error | undefined): string {
  const by = named ? `DOCKER_CONTEXT=${name}` : `the docker command's context ${name}`;
  if (host === undefined) return `Expected a context of Docker's for ${by}, found none. See docker context ls.`;
  if (certificates !== undefined) {
    return `Expected ${by} to need no certificates of its own, it has some. Set DOCKER_HOST=${host} and DOCKER_CERT_PATH=${certificates}.`;
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
