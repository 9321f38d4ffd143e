import type { SetupStep } from '../setup-step.ts';
import { testServer } from '../temporal/pinned-tool.ts';
import { cachedTool, fetchTool } from '../temporal/tool-cache.ts';

const what = `${testServer.executable} ${testServer.version}`;

/** Finds the server that skips time, or fetches it; only Longhaul's own tests use it. */
export const testServerStep: SetupStep<string> = {
  name: 'Test server',
  async check({ configuration, environment }) {
    const named = environment[testServer.setting];
    if (named) return { result: named, what: `${named}, as ${testServer.setting} says` };
    const path = await cachedTool(testServer, configuration.home);
    return path === undefined ? undefined : { result: path, what: `${what} in Longhaul's cache` };
  },
  async run({ configuration, signal }, progress) {
    const { path, from } = await fetchTool(testServer, configuration.home, { progress, signal });
    return { result: path, what: `${what} from ${from}` };
  },
};
