import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readConfiguration } from '../../../config/configuration.ts';
import { migrateDatabase } from '../../../db/connection/migrate.ts';
import type { Reporter } from '../../../setup/reporter.ts';
import { performStep, type SetupContext } from '../../../setup/setup-step.ts';
import { createPostgresService } from '../../../setup/stack/services/postgres-service.ts';
import { createTemporalService } from '../../../setup/stack/services/temporal-service.ts';
import { supervise } from '../../../setup/stack/supervisor/supervise.ts';
import { postgresStep } from '../../../setup/steps/postgres.ts';
import { temporalCliStep } from '../../../setup/steps/temporal-cli.ts';

export interface TestServers {
  database: string;
  temporal: string;
  stop(): Promise<void>;
}

const silent: Reporter = { begin: () => ({ update() {}, done() {}, fail() {} }), note() {} };

/**
 * Temporal's dev server and a Postgres with Longhaul's schema, their data in `home`; those that the environment names instead, if it names both.
 * @throws {SetupError} if one cannot be had or does not start.
 */
export async function startServers(
  home: string,
  environment: Record<string, string | undefined>,
): Promise<TestServers> {
  const { DATABASE_URL: database, TEMPORAL_ADDRESS: temporal } = environment;
  if (database && temporal) {
    await migrateDatabase(database);
    return { database, temporal, stop: async () => {} };
  }
  const { PATH = '', HOME } = environment;
  const contextIn = (LONGHAUL_HOME: string | undefined): SetupContext => ({
    configuration: readConfiguration({ LONGHAUL_HOME, TEMPORAL_CLI_PATH: environment.TEMPORAL_CLI_PATH }),
    environment: { PATH, HOME },
    reporter: silent,
    signal: new AbortController().signal,
  });
  const cli = await performStep(temporalCliStep, contextIn(environment.LONGHAUL_HOME)); // kept for the next time
  const postgres = await performStep(postgresStep, contextIn(home));
  const stack = await supervise({
    home,
    services: [
      createPostgresService(postgres, { PATH }),
      createTemporalService({ cli, home, namespace: 'default', environment: { PATH } }),
    ],
    elsewhere: {},
    onEvent: () => {},
  });
  const { addresses } = stack;
  return {
    database: addresses.database ?? '',
    temporal: addresses.temporal ?? '',
    async stop() {
      await stack.stop();
      await rm(dirname(postgres.dataFolder), { recursive: true, force: true });
    },
  };
}
