import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { homeHash } from '../../../config/stack-id.ts';
import { performStep } from '../../../setup/setup-step.ts';
import { postgresStep } from '../../../setup/steps/postgres.ts';
import { makeContext } from '../test-configuration.ts';

/** One home for the tests below, in their order. */
const { context, configuration, remove } = makeContext();
const closed = mkdtempSync(join(tmpdir(), 'longhaul-closed-')); // has mode 0700
afterAll(() => {
  remove();
  rmSync(closed, { recursive: true, force: true });
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;
const refused = (message: RegExp) => expect(performStep(postgresStep, context)).rejects.toThrow(message);

test('an interrupted set-up leaves no broken data folder', async () => {
  const controller = new AbortController();
  const interrupted = performStep(postgresStep, { ...context, signal: controller.signal });
  setTimeout(() => controller.abort(new Error('Ctrl-C')), 300);
  await expect(interrupted).rejects.toThrow('Ctrl-C');
  const { home } = configuration;
  for (const parent of [home, join('/var/lib/longhaul', homeHash(home))]) {
    expect(existsSync(join(parent, 'postgres', 'data'))).toBe(false);
  }
});

test('two set-ups at once make one data folder, which a later one keeps', async () => {
  const [first, other] = await Promise.all([performStep(postgresStep, context), performStep(postgresStep, context)]);
  expect(other).toEqual(first);
  expect(context.reporter.lines).toContain(`Postgres: waiting for another set-up (process ${process.pid})`);
  const madeAt = statSync(join(first.dataFolder, 'PG_VERSION')).mtimeMs;
  expect(await performStep(postgresStep, context)).toEqual(first);
  expect(statSync(join(first.dataFolder, 'PG_VERSION')).mtimeMs).toBe(madeAt);
  expect(context.reporter.lines.at(-1)).toMatch(/already there/);
});

test('others on this machine cannot read the passwords', async () => {
  const { passwordFile, adminPasswordFile } = await performStep(postgresStep, context);
  for (const file of [passwordFile, adminPasswordFile]) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]{32}$/);
  }
  expect(readFileSync(passwordFile, 'utf8')).not.toBe(readFileSync(adminPasswordFile, 'utf8'));
});

test('data that was made when workers were superusers is refused, with what to do', async () => {
  const { adminPasswordFile } = await performStep(postgresStep, context);
  renameSync(adminPasswordFile, `${adminPasswordFile}.away`);
  await refused(/made when workers were superusers\. Move .* away/);
  renameSync(`${adminPasswordFile}.away`, adminPasswordFile);
});

test('data of another Postgres version is refused', async () => {
  const { dataFolder } = await performStep(postgresStep, context);
  writeFileSync(join(dataFolder, 'PG_VERSION'), '15\n');
  await refused(/Expected data of Postgres 18 .* found that of 15/);
});

asRoot('data that is elsewhere, since only root can enter the home, is not handed on to a new home', async () => {
  const inClosed = makeContext({ LONGHAUL_HOME: join(closed, 'home') });
  try {
    const first = await performStep(postgresStep, inClosed.context);
    expect(first.user?.name).toBe('longhaul-postgres');
    expect(first.dataFolder).toMatch(/^\/var\/lib\/longhaul\/[0-9a-f]{12}\/postgres\/data$/);
    expect(statSync(first.dataFolder).uid).toBe(first.user?.uid);
    const password = readFileSync(first.passwordFile, 'utf8');
    const { home } = inClosed.configuration;
    renameSync(home, `${home}.removed`);
    const second = await performStep(postgresStep, inClosed.context);
    expect(second.dataFolder).toBe(first.dataFolder);
    expect(readFileSync(second.passwordFile, 'utf8')).not.toBe(password);
  } finally {
    inClosed.remove();
  }
});
