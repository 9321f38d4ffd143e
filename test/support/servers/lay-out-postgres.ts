import { appendFile, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { choosePlace, rememberPlace } from '../../../setup/postgres/place.ts';
import { findSystemUser } from '../../../setup/postgres/system-user.ts';
import { prepareHome } from '../../../setup/prepare-home.ts';
import { performStep } from '../../../setup/setup-step.ts';
import { createPostgresService } from '../../../setup/stack/services/postgres-service.ts';
import { supervise } from '../../../setup/stack/supervisor/supervise.ts';
import { postgresStep } from '../../../setup/steps/postgres.ts';
import { makeContext } from '../../setup/test-configuration.ts';
import { madeOnce } from '../made-once.ts';

/** Gives a new home a Postgres as set-up and migrations would make it, in a fifth of the time, by copying one made earlier in this test run. */
export async function layOutPostgres(home: string): Promise<void> {
  const made = await madeOnce('postgres', make);
  prepareHome(home);
  const user = process.getuid?.() === 0 ? await findSystemUser() : undefined;
  const folder = await choosePlace(home, user);
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
  await copy(made, folder);
  rememberPlace(home, folder);
}

async function make(target: string): Promise<void> {
  const { context, configuration, remove } = makeContext();
  const installation = await performStep(postgresStep, context);
  const services = [createPostgresService(installation, { PATH: process.env.PATH ?? '' })];
  const stack = await supervise({ home: configuration.home, services, elsewhere: {}, onEvent: () => {} });
  await stack.stop();
  await copy(dirname(installation.dataFolder), target);
  // Tests kill processes, not machines, and what a killed Postgres wrote is with the system.
  await appendFile(join(target, basename(installation.dataFolder), 'postgresql.conf'), 'fsync = off\n');
  remove();
}

/** Keeps owners and permissions, which Postgres checks. */
async function copy(from: string, to: string): Promise<void> {
  await execa('cp', ['-a', from, to]);
}
