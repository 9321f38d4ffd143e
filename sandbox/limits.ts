import type { SandboxLimits } from './sandbox.ts';

export const mebibyte = 1024 ** 2;
export const gibibyte = 1024 ** 3;

/**
 * What a sandbox may use unless its spec says otherwise: enough to install packages and run an ordinary project's tests (npm alone starts dozens of
 * threads), little enough that one sandbox cannot bring down a laptop.
 */
export const defaultLimits: SandboxLimits = {
  memoryBytes: 2 * gibibyte,
  cpus: 2,
  processes: 512,
  tmpBytes: 512 * mebibyte,
  fileBytes: gibibyte,
};

/** What one sandbox may have on disk. */
export interface DiskQuota {
  bytes: number;
  /** Files, folders and links. */
  files: number;
}

/** An ordinary project with its packages has a tenth of it. */
export const defaultDiskQuota: DiskQuota = { bytes: 10 * gibibyte, files: 1_000_000 };

/** Largest bundle of a snapshot, in bytes: what a host should be able to hold in memory, and far more than any project's source needs. */
export const maxSnapshotBytes = 256 * mebibyte;

/** The harness's own programs write such a snapshot and its first line at most; what an agent started may write to their output. */
export const maxOutputBytes = maxSnapshotBytes + mebibyte;

/**
 * Milliseconds for one of the harness's own programs in a sandbox, besides the time limit of a command that it runs: far more than a check-out or a
 * snapshot of a large repository takes. A file that never ends, such as a named pipe where git expects its objects, holds one up for ever.
 */
export const programTimeLimitMs = 10 * 60_000;
