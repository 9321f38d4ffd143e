import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performStep } from '../../setup/setup-step.ts';
import { createPostgresService } from '../../setup/stack/services/postgres-service.ts';
import { type Stack, supervise } from '../../setup/stack/supervise.ts';
import { postgresStep } from '../../setup/steps/postgres.ts';
import { makeContext } from '../setup/test-configuration.ts';

/** A stack of nothing but a real Postgres, in a data folder of its own. */
export interface TestDatabase {
  home: string;
  url: string;
  /** Kills Postgres with SIGKILL; it is started again. */
  kill(): void;
  stop(): Promise<void>;
}

export async function startTestDatabase(): Promise<TestDatabase> {
  const home = mkdtempSync(join(tmpdir(), 'longhaul-client-'));
  const { context, remove } = makeContext({ LONGHAUL_HOME: home });
  const installation = await performStep(postgresStep, context);
  const environment = { PATH: process.env.PATH ?? '' };
  const stack: Stack = await supervise({
    home,
    services: [createPostgresService(installation, environment)],
    elsewhere: {},
    onEvent: () => {},
  });
  if (!stack.addresses.database) throw new Error('Expected the address of Postgres from its service.');
  return {
    home,
    url: stack.addresses.database,
    kill: () => stack.kill(),
    async stop() {
      await stack.stop();
      remove();
    },
  };
}
