import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { connectDatabase, type Database } from '../../../db/connection/database.ts';
import { performStep } from '../../../setup/setup-step.ts';
import { createPostgresService } from '../../../setup/stack/services/postgres-service.ts';
import { type Stack, supervise } from '../../../setup/stack/supervisor/supervise.ts';
import { postgresStep } from '../../../setup/steps/postgres.ts';
import { makeContext } from '../../setup/test-configuration.ts';
import { layOutPostgres } from './lay-out-postgres.ts';

/** A stack of a Postgres alone, in a data folder of its own: for tests that kill it or find its address there. */
export interface OwnPostgres {
  home: string;
  url: string;
  /** A connection to it. */
  database: Database;
  /** Kills Postgres with SIGKILL; the stack starts it again. */
  kill(): void;
  stop(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const home = mkdtempSync(join(tmpdir(), 'longhaul-client-'));
  const { context, remove } = makeContext({ LONGHAUL_HOME: home });
  await layOutPostgres(home);
  const installation = await performStep(postgresStep, context);
  const environment = { PATH: process.env.PATH ?? '' };
  const stack: Stack = await supervise({
    home,
    services: [createPostgresService(installation, environment)],
    elsewhere: {},
    onEvent: () => {},
  });
  if (!stack.addresses.database) throw new Error('Expected the address of Postgres from its service.');
  const connection = connectDatabase(stack.addresses.database, { maxConnections: 4 });
  return {
    home,
    url: stack.addresses.database,
    database: connection.database,
    kill: () => stack.kill(),
    async stop() {
      await connection.close();
      await stack.stop();
      remove();
    },
  };
}

/** The same from a test file's first line until its last test has ended. */
export async function ownPostgresOfFile(): Promise<OwnPostgres> {
  const started = await startOwnPostgres();
  afterAll(() => started.stop());
  return started;
}
