import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { performStep } from '../../../setup/setup-step.ts';
import { postgresStep } from '../../../setup/steps/postgres.ts';
import { makeContext } from '../test-configuration.ts';

const removals: Array<() => void> = [];
afterEach(() => {
  for (const remove of removals.splice(0)) remove();
});

function fresh(settings: Record<string, string> = {}) {
  const made = makeContext(settings);
  removals.push(made.remove);
  return made;
}

const asRoot = process.getuid?.() === 0 ? test : test.skip;

test('a second set-up keeps the data folder', async () => {
  const { context } = fresh();
  const first = await performStep(postgresStep, context);
  const madeAt = statSync(join(first.dataFolder, 'PG_VERSION')).mtimeMs;
  expect(await performStep(postgresStep, context)).toEqual(first);
  expect(statSync(join(first.dataFolder, 'PG_VERSION')).mtimeMs).toBe(madeAt);
  expect(context.reporter.lines.at(-1)).toMatch(/already there/);
});

test('two set-ups at once make one data folder', async () => {
  const { context } = fresh();
  const [one, other] = await Promise.all([performStep(postgresStep, context), performStep(postgresStep, context)]);
  expect(one).toEqual(other);
  expect(context.reporter.lines).toContain(`Postgres: waiting for another set-up (process ${process.pid})`);
});

test('an interrupted set-up leaves no broken data folder', async () => {
  const { context, configuration } = fresh();
  const controller = new AbortController();
  const interrupted = performStep(postgresStep, { ...context, signal: controller.signal });
  setTimeout(() => controller.abort(new Error('Ctrl-C')), 300);
  await expect(interrupted).rejects.toThrow('Ctrl-C');
  expect(existsSync(join(configuration.home, 'postgres', 'data'))).toBe(false);
  const { dataFolder } = await performStep(postgresStep, context);
  expect(existsSync(join(dataFolder, 'PG_VERSION'))).toBe(true);
});

test('others on this machine cannot read the passwords', async () => {
  const { context } = fresh();
  const { passwordFile, adminPasswordFile } = await performStep(postgresStep, context);
  for (const file of [passwordFile, adminPasswordFile]) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]{32}$/);
  }
  expect(readFileSync(passwordFile, 'utf8')).not.toBe(readFileSync(adminPasswordFile, 'utf8'));
});

test('data that was made when workers were superusers is refused, with what to do', async () => {
  const { context } = fresh();
  const { adminPasswordFile } = await performStep(postgresStep, context);
  rmSync(adminPasswordFile);
  await expect(performStep(postgresStep, context)).rejects.toThrow(/made when workers were superusers\. Move .* away/);
});

test('data of another Postgres version is refused', async () => {
  const { context } = fresh();
  const { dataFolder } = await performStep(postgresStep, context);
  writeFileSync(join(dataFolder, 'PG_VERSION'), '15\n');
  await expect(performStep(postgresStep, context)).rejects.toThrow(/Expected data of Postgres 18 .* found that of 15/);
});

asRoot('if only root can enter the home, Postgres gets its data folder elsewhere', async () => {
  const closed = mkdtempSync(join(tmpdir(), 'longhaul-closed-')); // has mode 0700
  chmodSync(closed, 0o700);
  const home = join(closed, 'home');
  mkdirSync(home);
  removals.push(() => rmSync(closed, { recursive: true, force: true }));
  const { context } = fresh({ LONGHAUL_HOME: home });
  const { dataFolder, user } = await performStep(postgresStep, context);
  expect(user?.name).toBe('longhaul-postgres');
  expect(dataFolder).toMatch(/^\/var\/lib\/longhaul\/[0-9a-f]{12}\/postgres\/data$/);
  expect(statSync(dataFolder).uid).toBe(user?.uid);
});

asRoot('a removed home does not hand its data on to a new home of the same name', async () => {
  const closed = mkdtempSync(join(tmpdir(), 'longhaul-closed-'));
  chmodSync(closed, 0o700);
  removals.push(() => rmSync(closed, { recursive: true, force: true }));
  const { context, configuration } = fresh({ LONGHAUL_HOME: join(closed, 'home') });
  const first = await performStep(postgresStep, context);
  const password = readFileSync(first.passwordFile, 'utf8');
  await rename(configuration.home, `${configuration.home}.removed`);
  const second = await performStep(postgresStep, context);
  expect(second.dataFolder).toBe(first.dataFolder);
  expect(readFileSync(second.passwordFile, 'utf8')).not.toBe(password);
});
