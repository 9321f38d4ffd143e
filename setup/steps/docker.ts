import { describeAbsence } from '../docker/docker-unavailable-error.ts';
import { type DockerDaemon, findDaemon } from '../docker/find-daemon.ts';
import { canInstallPackages, installPackages } from '../docker/install-packages.ts';
import { startDaemon } from '../docker/start-daemon.ts';
import { findInPath } from '../processes/find-in-path.ts';
import { SetupError } from '../setup-error.ts';
import type { SetupStep } from '../setup-step.ts';

/** Finds a Docker daemon. If none answers, it installs and starts one as root on Debian and Ubuntu, and elsewhere says what to do. */
export const dockerStep: SetupStep<DockerDaemon> = {
  name: 'Docker',
  async check({ configuration, environment }) {
    const found = await findDaemon(configuration.docker.host, environment);
    if ('version' in found) return { result: found, what: describe(found) };
    if (found.reason !== 'no-daemon' || !(await canInstallPackages())) {
      throw new SetupError('DockerUnavailable', describeAbsence(found));
    }
    return undefined;
  },
  async run({ configuration, environment, signal }, progress) {
    const { home } = configuration;
    let made = 'started';
    if ((await findInPath('dockerd', searchPath(environment))) === undefined) {
      progress.update('no daemon answers: installing docker.io');
      await installPackages(['docker.io', 'iptables', 'cgroupfs-mount'], {
        home,
        signal,
        onProgress: (what) => progress.update(what),
      });
      made = 'installed and started';
      const started = await findDaemon(configuration.docker.host, environment); // the package may have started it
      if ('version' in started) return { result: started, what: `${describe(started)}, ${made}` };
    }
    progress.update('no daemon answers: starting dockerd');
    const daemon = await startDaemon({ home, environment: { ...environment, PATH: searchPath(environment) }, signal });
    return { result: daemon, what: `${describe(daemon)}, ${made}` };
  },
};

function describe({ version, host }: DockerDaemon): string {
  return `Docker ${version} at ${host}`;
}

/** In some containers and cron jobs, root's PATH lacks the sbin folders, where dockerd and iptables are. */
function searchPath(environment: Record<string, string | undefined>): string {
  return `${environment.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`;
}
