import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { identifyProcess } from '../../config/process-identity.ts';
import { findInPath } from '../processes/find-in-path.ts';
import { plainEnvironment } from '../processes/plain-environment.ts';
import { readTail } from '../processes/read-tail.ts';
import { SetupError } from '../setup-error.ts';
import { readOwnDaemon, recordOwnDaemon } from './daemon-record.ts';
import { askDaemon, type DockerDaemon } from './find-daemon.ts';

const defaultSocket = 'unix:///var/run/docker.sock';
const readyMs = 60_000;

export interface StartRequest {
  home: string;
  environment: Record<string, string | undefined>;
  signal: AbortSignal;
}

/**
 * Starts Docker's daemon: through systemd if that runs the machine, else as a process of its own that outlives us, with its log in
 * `<home>/logs/dockerd.log`. A daemon that it started before and that still runs is waited for.
 * @throws {SetupError} `DockerUnavailable` with the end of the log, if it does not come up.
 */
export async function startDaemon(request: StartRequest): Promise<DockerDaemon> {
  const log = join(request.home, 'logs', 'dockerd.log');
  // Our daemon is only slow: a second one would exit at once, and be recorded in its place.
  if (readOwnDaemon(request.home)) return waitUntilReady(request, () => readOwnDaemon(request.home) !== undefined, log);
  if (existsSync('/run/systemd/system')) {
    const { failed, stderr } = await execa('systemctl', ['start', 'docker'], { reject: false });
    if (!failed) return waitUntilReady(request, () => true, '/var/log/syslog');
    throw new SetupError(
      'DockerUnavailable',
      `Expected systemctl start docker to work: ${stderr}. See journalctl -u docker.`,
    );
  }
  clearStalePid('/var/run/docker.pid', 'dockerd');
  // A containerd that outlived its killed dockerd is taken over by the next one; only a pid that another process now has would mislead it.
  clearStalePid('/var/run/docker/containerd/containerd.pid', 'containerd');
  await mountControlGroups(request.environment);
  const file = openSync(log, 'a', 0o600);
  const child = spawn('dockerd', [], {
    detached: true,
    stdio: ['ignore', file, file],
    env: plainEnvironment(request.environment),
  });
  closeSync(file);
  let exited: string | undefined;
  child.once('exit', (code, signal) => {
    exited = signal ?? `exit code ${code}`;
  });
  child.once('error', (error) => {
    exited = error.message;
  });
  const identity = child.pid === undefined ? undefined : identifyProcess(child.pid);
  if (identity !== undefined) recordOwnDaemon(request.home, identity);
  child.unref();
  return waitUntilReady(request, () => exited === undefined, log);
}

async function waitUntilReady({ signal }: StartRequest, isUp: () => boolean, log: string): Promise<DockerDaemon> {
  const deadline = Date.now() + readyMs;
  for (;;) {
    const answer = await askDaemon(defaultSocket);
    if (!('error' in answer)) return answer;
    if (!isUp() || Date.now() > deadline) {
      throw new SetupError(
        'DockerUnavailable',
        `Expected the Docker daemon to answer${isUp() ? ` within ${readyMs / 1000} s` : ', but it ended'}. The end of ${log}:\n${readTail(log, 8)}\n` +
          'Start dockerd yourself or name a daemon with DOCKER_HOST.',
        { cause: answer.error },
      );
    }
    await sleep(100, undefined, { signal });
  }
}

/** dockerd refuses to start while the pid in its file belongs to any process, even an unrelated one. */
function clearStalePid(path: string, command: string): void {
  if (!existsSync(path)) return;
  const pid = Number(readFileSync(path, 'utf8'));
  const name = identifyProcess(pid) === undefined ? undefined : readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  if (name !== command) rmSync(path, { force: true });
}

/** Without systemd nothing else mounts the control groups that dockerd needs; Debian has a script for it (cgroupfs-mount). */
async function mountControlGroups(environment: Record<string, string | undefined>): Promise<void> {
  if (existsSync('/sys/fs/cgroup/cgroup.controllers') || existsSync('/sys/fs/cgroup/devices')) return;
  const script = await findInPath('cgroupfs-mount', environment.PATH ?? '');
  if (script !== undefined) await execa(script, { reject: false });
}
