import { readFile } from 'node:fs/promises';
import type Docker from 'dockerode';
import { SandboxError } from '../../errors.ts';
import { translateHostErrors } from './host-errors.ts';

/** How containers are kept apart from their host, beyond what always holds: no capabilities, no new privileges, a read-only root. */
export interface Isolation {
  /** A runtime that the daemon knows, such as `runsc` or `kata`; the daemon's default if absent. */
  runtime?: string | undefined;
  /** The content of a seccomp profile; the daemon's own if absent. */
  seccompProfile?: string | undefined;
  /** The user namespace, in the words of the container host: for Docker only `host`; the daemon's default if absent. */
  userns?: string | undefined;
}

/** Settings of the same; `seccomp` is the path of a profile on this machine. */
export interface IsolationSettings {
  runtime?: string | undefined;
  seccomp?: string | undefined;
  userns?: string | undefined;
}

/** @throws {SandboxError} SeccompUnreadable if there is no profile at that path, or it is not JSON. */
export async function readIsolation({ runtime, seccomp, userns }: IsolationSettings): Promise<Isolation> {
  return { runtime, userns, seccompProfile: seccomp === undefined ? undefined : await readProfile(seccomp) };
}

async function readProfile(path: string): Promise<string> {
  try {
    const text = await readFile(path, 'utf8');
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new SandboxError(
      'SeccompUnreadable',
      `Expected a seccomp profile, which is JSON, at ${path} (sandbox.seccomp): ${(error as Error).message}. Correct the path or the file, or leave the setting out.`,
      { cause: error },
    );
  }
}

/** Their part of a container's create request. */
export function isolationOf({
  runtime,
  seccompProfile,
  userns,
}: Isolation): Docker.HostConfig & { CgroupnsMode: 'private' } {
  return {
    SecurityOpt: ['no-new-privileges', ...(seccompProfile === undefined ? [] : [`seccomp=${seccompProfile}`])],
    CgroupnsMode: 'private',
    ...(runtime === undefined ? {} : { Runtime: runtime }),
    ...(userns === undefined ? {} : { UsernsMode: userns }),
  };
}

interface HostInfo {
  Runtimes?: Record<string, unknown>;
  SecurityOptions?: string[];
  OperatingSystem?: string;
}

/**
 * Checks that the container host knows the runtime. Returns what a person should know of how far its containers are from the host; undefined if there is
 * nothing to say.
 * @throws {SandboxError} RuntimeMissing
 */
export async function checkIsolation(docker: Docker, { runtime }: IsolationSettings): Promise<string | undefined> {
  const {
    Runtimes = {},
    SecurityOptions = [],
    OperatingSystem = '',
  } = (await translateHostErrors(() => docker.info())) as HostInfo;
  if (runtime !== undefined) {
    if (runtime in Runtimes) return undefined;
    throw new SandboxError(
      'RuntimeMissing',
      `Expected the runtime "${runtime}" (sandbox.runtime) at the Docker daemon, which has ${Object.keys(Runtimes).join(', ') || 'none'}. Add it to /etc/docker/daemon.json and restart the daemon, or correct the setting.`,
    );
  }
  const isApart =
    SecurityOptions.some((one) => /^name=(userns|rootless)/.test(one)) || OperatingSystem === 'Docker Desktop';
  if (isApart) return undefined;
  return 'The Docker daemon runs as root without user namespaces: only the kernel is between a sandbox and this machine. docs/security.md says how to put more there (userns-remap, rootless, gVisor).';
}
