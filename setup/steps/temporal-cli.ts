import { findInPath } from '../processes/find-in-path.ts';
import { SetupError } from '../setup-error.ts';
import type { SetupContext, SetupOutcome, SetupStep } from '../setup-step.ts';
import { cliVersion, isAtLeast, oldestCli } from '../temporal/cli-version.ts';
import { temporalCli } from '../temporal/pinned-tool.ts';
import { cachedTool, fetchTool } from '../temporal/tool-cache.ts';

export interface TemporalCli {
  path: string;
  version: string;
}

/** Finds Temporal's command line, which includes the dev server: the configured one, the one in PATH, or ours; else fetches ours. */
export const temporalCliStep: SetupStep<TemporalCli> = {
  name: 'Temporal CLI',
  async check(context) {
    return (await named(context)) ?? (await inPath(context)) ?? (await inCache(context));
  },
  async run(context, progress) {
    const { path, from } = await fetchTool(temporalCli, context.configuration.home, {
      progress,
      signal: context.signal,
    });
    const version = await cliVersion(path);
    if (version === undefined) {
      throw new SetupError(
        'TemporalToolUnavailable',
        `Expected ${path} to print its version, but it does not run here. Set TEMPORAL_CLI_PATH.`,
      );
    }
    return { result: { path, version }, what: `temporal ${version} from ${from}` };
  },
};

async function named({ configuration }: SetupContext): Promise<SetupOutcome<TemporalCli> | undefined> {
  const path = configuration.temporal.cliPath;
  if (path === undefined) return undefined;
  const version = await cliVersion(path);
  if (version === undefined || !isAtLeast(version, oldestCli)) {
    throw new SetupError(
      'TemporalToolUnavailable',
      `Expected the Temporal CLI, ${oldestCli} or newer, at TEMPORAL_CLI_PATH=${path}; ` +
        `${version === undefined ? 'it does not run' : `got ${version}`}. Correct the setting or unset it.`,
    );
  }
  return { result: { path, version }, what: `temporal ${version} at TEMPORAL_CLI_PATH` };
}

async function inPath({ environment }: SetupContext): Promise<SetupOutcome<TemporalCli> | undefined> {
  const path = await findInPath('temporal', environment.PATH ?? '');
  if (path === undefined) return undefined;
  const version = await cliVersion(path);
  if (version === undefined || !isAtLeast(version, oldestCli)) return undefined; // too old for us, so ours is fetched
  return { result: { path, version }, what: `temporal ${version} at ${path}` };
}

async function inCache({ configuration }: SetupContext): Promise<SetupOutcome<TemporalCli> | undefined> {
  const path = await cachedTool(temporalCli, configuration.home);
  if (path === undefined) return undefined;
  const version = await cliVersion(path);
  return version === undefined
    ? undefined
    : { result: { path, version }, what: `temporal ${version} in Longhaul's cache` };
}
