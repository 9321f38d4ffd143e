import { execa } from 'execa';
import { canInstallPackages, installPackages } from '../docker/install-packages.ts';
import type { SetupStep } from '../setup-step.ts';

/** Finds the Redis of this machine, or installs it where that is possible; only Longhaul's own tests start it, and fail with a hint where there is none. */
export const redisStep: SetupStep<void> = {
  name: 'Redis',
  async check() {
    const { failed, stdout } = await execa('redis-server', ['--version'], { reject: false });
    return failed ? undefined : { result: undefined, what: `Redis ${/v=(\S+)/.exec(stdout)?.[1] ?? stdout}` };
  },
  async run({ configuration: { home }, signal }, progress) {
    if (!(await canInstallPackages())) return { result: undefined, what: 'none; the tests of the event bus need one' };
    await installPackages(['redis-server'], { home, signal, onProgress: (what) => progress.update(what) });
    return { result: undefined, what: 'redis-server from apt' };
  },
};
