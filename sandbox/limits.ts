import type { SandboxLimits } from './sandbox.ts';

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;

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
