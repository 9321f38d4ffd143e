import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../config/package-root.ts';
import { identifyProcess, isRunning } from '../../../config/process-identity.ts';
import { imageTag } from '../../../sandbox/image/image-tag.ts';
import { askDaemon } from '../../../setup/docker/find-daemon.ts';
import { readTail } from '../../../setup/processes/read-tail.ts';
import { waitFor } from '../wait-for.ts';

/** A Docker daemon of the test's own beside the machine's, with a separate socket, data folder and bridge, and without firewall rules. */
export interface OwnDockerDaemon {
  host: string;
  /** The sandbox image, the only image it has. */
  image: string;
  /** Its data folder, with `containers/<id>` and more. */
  data: string;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** The variables for a stack whose sandboxes are to run on this daemon. */
  environment(): { DOCKER_HOST: string; SANDBOX_IMAGE: string };
  docker(...parameters: string[]): string;
  /** Ends the daemon with its containers and removes everything it made. */
  remove(): Promise<void>;
}

const searchPath = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`;

/** False unless this is root on Linux with the programs for a second daemon installed. */
export function canStartOwnDocker(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    run('sh', '-c', 'command -v dockerd && command -v ip');
    return true;
  } catch {
    return false; // one of them is missing
  }
}

/** Starts a daemon with a copy of the machine's sandbox image. */
export async function startOwnDocker(): Promise<OwnDockerDaemon> {
  const image = process.env.SANDBOX_IMAGE ?? (await imageTag(packageRoot()));
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-dockerd-'));
  const host = `unix://${join(folder, 'docker.sock')}`;
  const bridge = `lht${process.pid}`;
  const pidFile = join(folder, 'pid');
  let daemon: ChildProcess;

  async function start(): Promise<void> {
    // A killed daemon leaves both files; its containerd dies a moment after it.
    const containerdFile = join(folder, 'exec', 'containerd', 'containerd.pid');
    const containerd = existsSync(containerdFile) && identifyProcess(Number(readFileSync(containerdFile, 'utf8')));
    if (containerd) await waitFor('the containerd of before to end', () => !isRunning(containerd));
    for (const file of [containerdFile, pidFile]) rmSync(file, { force: true });
    const log = openSync(join(folder, 'log'), 'a');
    const settings = {
      host,
      'data-root': join(folder, 'data'),
      'exec-root': join(folder, 'exec'),
      pidfile: pidFile,
      bridge,
    };
    const parameters = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    daemon = spawn('dockerd', [...parameters, '--iptables=false', '--ip-masq=false', '--ip-forward=false'], {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, PATH: searchPath },
    });
    closeSync(log);
    await waitFor(`the Docker daemon in ${folder} (see its log)`, async () => {
      if (daemon.exitCode !== null)
        throw new Error(`dockerd ended with ${daemon.exitCode}:\n${readTail(join(folder, 'log'), 12)}`);
      return 'version' in (await askDaemon(host));
    });
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (daemon.exitCode !== null || daemon.signalCode !== null) return;
    const ended = once(daemon, 'exit');
    daemon.kill(signal);
    await ended;
  }

  run('ip', 'link', 'add', 'name', bridge, 'type', 'bridge');
  // From the range for benchmarks (RFC 2544), which a person's network is unlikely to use; each jest worker has a subnet of its own.
  run('ip', 'address', 'add', `198.18.${process.env.JEST_WORKER_ID ?? 0}.1/24`, 'dev', bridge);
  run('ip', 'link', 'set', bridge, 'up');
  await start();
  await copyImage(image, host);
  return {
    host,
    image,
    data: join(folder, 'data'),
    start,
    kill: () => end('SIGKILL'),
    environment: () => ({ DOCKER_HOST: host, SANDBOX_IMAGE: image }),
    docker: (...parameters) => run('docker', '-H', host, ...parameters),
    async remove() {
      await end('SIGTERM');
      const mounts = readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .map((line) => line.split(' ')[1] ?? '');
      for (const mount of mounts.filter((path) => path.startsWith(`${folder}/`)).toReversed()) run('umount', mount);
      run('ip', 'link', 'delete', bridge);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function copyImage(image: string, host: string): Promise<void> {
  const save = spawn('docker', ['save', image], { stdio: ['ignore', 'pipe', 'inherit'] });
  const load = spawn('docker', ['-H', host, 'load'], { stdio: [save.stdout, 'ignore', 'inherit'] });
  const [code] = await once(load, 'exit');
  if (code !== 0) throw new Error(`Expected docker load of ${image} to work, it ended with ${code}.`);
}

function run(command: string, ...parameters: string[]): string {
  return execFileSync(command, parameters, { encoding: 'utf8', env: { ...process.env, PATH: searchPath } }).trim();
}
