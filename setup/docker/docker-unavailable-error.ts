import type { DaemonAbsence } from './find-daemon.ts';

/** Thrown when no Docker daemon answers and set-up may not or cannot start one. */
export class DockerUnavailableError extends Error {
  override name = 'DockerUnavailableError';
}

/** What a person does about a daemon that does not answer, on this system. */
export function describeAbsence(absence: DaemonAbsence): string {
  switch (absence.reason) {
    case 'host-silent':
      return `Expected a Docker daemon at DOCKER_HOST=${absence.host}, got: ${absence.error.message}. Start it, correct the setting, or unset it.`;
    case 'permission':
      return (
        `Expected to use Docker's socket ${absence.socket}, this user may not. ` +
        'Join its group (sudo usermod -aG docker "$USER", then log in again) and start anew.'
      );
    case 'no-daemon':
      return `Expected a Docker daemon, none answers. ${howToStart()} Or name one with DOCKER_HOST.`;
  }
}

function howToStart(): string {
  if (process.platform === 'darwin') return 'Start Docker Desktop (open -a Docker), OrbStack or Colima (colima start).';
  if (process.platform === 'linux') {
    return 'Start it (sudo systemctl start docker), or install it: sudo apt-get install docker.io on Debian and Ubuntu, else https://docs.docker.com/engine/install.';
  }
  return 'Start Docker Desktop.';
}
