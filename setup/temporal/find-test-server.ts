import { join } from 'node:path';
import { withLock } from '../home-lock.ts';
import { prepareHome } from '../prepare-home.ts';
import type { Progress } from '../reporter.ts';
import { temporalTestServer } from './pinned-tool.ts';
import { cachedTool, fetchTool } from './tool-cache.ts';

const silent: Progress = { update() {}, done() {}, fail() {} };

/** The file of the server that skips time (for `TestWorkflowEnvironment.createTimeSkipping`), fetched into the home's cache when missing. */
export async function findTestServer(
  home: string,
  options: { progress?: Progress; signal?: AbortSignal } = {},
): Promise<string> {
  const signal = options.signal ?? new AbortController().signal;
  const cached = await cachedTool(temporalTestServer, home);
  if (cached !== undefined) return cached;
  prepareHome(home);
  return withLock(join(home, 'setup.lock'), { signal }, async () => {
    const found = await cachedTool(temporalTestServer, home);
    return found ?? (await fetchTool(temporalTestServer, home, { progress: options.progress ?? silent, signal })).path;
  });
}
