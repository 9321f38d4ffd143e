import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Configuration, readConfiguration } from '../../config/configuration.ts';
import { homeHash } from '../../config/stack-id.ts';
import type { Progress, Reporter } from '../../setup/reporter.ts';
import type { SetupContext } from '../../setup/setup-step.ts';
import { performStep } from '../../setup/setup-step.ts';
import { type TemporalCli, temporalCliStep } from '../../setup/steps/temporal-cli.ts';

/** A reporter that records everything. */
export function recordingReporter(): Reporter & { lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    begin(name): Progress {
      return {
        update: (what) => lines.push(`${name}: ${what}`),
        done: (what, options) => lines.push(`${name}: ${what}${options?.alreadyThere ? ' (already there)' : ''}`),
        fail: (what) => lines.push(`${name}: ${what}`),
      };
    },
    note: (text) => lines.push(text),
  };
}

/** A set-up context in a fresh home; `remove` deletes the home and what Postgres keeps outside it. */
export function makeContext(settings: Record<string, string> = {}): {
  context: SetupContext & { reporter: ReturnType<typeof recordingReporter> };
  configuration: Configuration;
  remove(): void;
} {
  const home = settings.LONGHAUL_HOME ?? mkdtempSync(join(tmpdir(), 'longhaul-home-'));
  const configuration = readConfiguration({ ...settings, LONGHAUL_HOME: home });
  return {
    context: {
      configuration,
      environment: { PATH: process.env.PATH, HOME: process.env.HOME },
      reporter: recordingReporter(),
      signal: new AbortController().signal,
    },
    configuration,
    remove() {
      rmSync(home, { recursive: true, force: true });
      rmSync(join('/var/lib/longhaul', homeHash(home)), { recursive: true, force: true });
    },
  };
}

/** The Temporal CLI that `npm test` found, or else the one that set-up finds for the usual home. */
export async function findTemporalCli(): Promise<TemporalCli> {
  const { context } = makeContext({
    LONGHAUL_HOME: join(homedir(), '.longhaul'),
    ...(process.env.TEMPORAL_CLI_PATH ? { TEMPORAL_CLI_PATH: process.env.TEMPORAL_CLI_PATH } : {}),
  });
  return performStep(temporalCliStep, context);
}
