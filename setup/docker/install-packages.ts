import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { isSetupError, SetupError } from '../setup-error.ts';

/** Milliseconds, as below; as long as the install itself waits (`DPkg::Lock::Timeout`). */
const lockedMs = 120_000;
const lockPollMs = 2_000;
/** Messages of dpkg, then of apt, with LC_ALL=C. */
const lockHeld = /was locked by another process|Could not get lock|Unable to (?:acquire the dpkg|lock)/i;

/** Whether set-up may install packages: as root on Debian, Ubuntu and their derivatives. */
export async function canInstallPackages(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const release = await readFile('/etc/os-release', 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release);
}

/** Installs packages of the distribution. apt's output goes to `<home>/logs/apt.log`. */
export async function installPackages(
  packages: string[],
  options: { home: string; signal: AbortSignal; onProgress: (what: string) => void },
): Promise<void> {
  const what = `installing ${packages[0]}`;
  const log = join(options.home, 'logs', 'apt.log');
  const request = { what, log, ...options };
  options.onProgress(`${what}: reading the package lists`);
  await run('dpkg', ['--configure', '-a'], request); // finishes what a killed installation left
  await run('apt-get', ['update'], request);
  options.onProgress(what);
  const install = ['install', '--yes', '--no-install-recommends', '--option', 'DPkg::Lock::Timeout=120'];
  await run('apt-get', [...install, ...packages], request);
}

interface PackageRequest {
  what: string;
  log: string;
  signal: AbortSignal;
  onProgress: (what: string) => void;
}

/** Retries while another process holds a lock of apt's or dpkg's: a fresh machine updates itself in its first minutes. */
async function run(command: string, parameters: string[], request: PackageRequest): Promise<void> {
  const deadline = Date.now() + lockedMs;
  for (;;) {
    try {
      return await runOnce(command, parameters, request);
    } catch (error) {
      const isLocked = isSetupError(error, 'PackagesUnavailable') && lockHeld.test(error.message);
      if (!isLocked || Date.now() > deadline) throw error;
    }
    request.onProgress(`${request.what}: waiting for another apt or dpkg`);
    await sleep(lockPollMs, undefined, { signal: request.signal });
  }
}

async function runOnce(
  command: string,
  parameters: string[],
  { what, log, signal, onProgress }: PackageRequest,
): Promise<void> {
  const file = await open(log, 'a', 0o600);
  const child = execa(command, parameters, {
    all: true,
    cancelSignal: signal,
    stdin: 'ignore',
    reject: false,
    env: { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  });
  const logged = pipeline(child.all, file.createWriteStream());
  child.all.on('data', (chunk: Buffer) => {
    const step = /^(?:Get:\d+ \S+ \S+ \S+ (\S+)|Unpacking (\S+)|Setting up (\S+))/m.exec(chunk.toString());
    const name = step?.[1] ?? step?.[2] ?? step?.[3];
    if (name !== undefined) onProgress(`${what}: ${name}`);
  });
  const [{ failed, shortMessage, all }] = await Promise.all([child, logged]);
  signal.throwIfAborted();
  if (failed) {
    throw new SetupError(
      'PackagesUnavailable',
      `Expected ${what} to work: ${shortMessage}\n${all.trim().split('\n').slice(-5).join('\n')}\n` +
        `The whole output is in ${log}. Install it yourself and run this again.`,
    );
  }
}
