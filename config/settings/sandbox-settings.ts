import { dirname } from 'node:path';
import type { ConfigFile } from '../define-config.ts';
import { absolute, present } from '../environment.ts';

/** What holds for every sandbox. */
export interface SandboxSettings {
  /** Longhaul's own if absent. */
  image?: string;
  /** What each may have on disk. */
  disk: { bytes: number; files: number };
  /** How containers are kept apart from their host; `seccomp` is an absolute path. */
  isolation: { runtime?: string; seccomp?: string; userns?: string };
  /** Hosts that count as package registries beside the known ones. */
  registries: string[];
}

const gibibyte = 1024 ** 3;

export function readSandboxSettings(image: string | undefined, file: ConfigFile | undefined): SandboxSettings {
  const { diskGigabytes = 10, files = 1_000_000, runtime, seccomp, userns } = file?.config.sandbox ?? {};
  return {
    ...present('image', image),
    disk: { bytes: Math.round(diskGigabytes * gibibyte), files },
    isolation: {
      ...present('runtime', runtime),
      ...present('seccomp', seccomp && absolute(seccomp, dirname(file?.path ?? '.'))),
      ...present('userns', userns),
    },
    registries: file?.config.registries ?? [],
  };
}
