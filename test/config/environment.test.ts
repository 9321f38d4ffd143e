import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeSettings } from '../../agents/settings/describe-settings.ts';
import { readConfiguration } from '../../config/configuration.ts';
import { withEnvFile } from '../../config/environment.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-paths-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('relative paths are resolved against the folder of the command', () => {
  const given = {
    LANCEDB_URI: './memories',
    EMBEDDING_MODEL_PATH: 'models/mini',
    TEMPORAL_CLI_PATH: '../bin/temporal',
    LONGHAUL_SCRIPT: 'script',
    LONGHAUL_RECORD: './recordings',
    LONGHAUL_CONFIG: 'longhaul.config.ts',
    DOCKER_CERT_PATH: '~/certificates',
  };
  expect(withEnvFile({ LONGHAUL_HOME: home, ...given }, '/work/here')).toEqual({
    LONGHAUL_HOME: home,
    LANCEDB_URI: '/work/here/memories',
    EMBEDDING_MODEL_PATH: '/work/here/models/mini',
    TEMPORAL_CLI_PATH: '/work/bin/temporal',
    LONGHAUL_SCRIPT: '/work/here/script',
    LONGHAUL_RECORD: '/work/here/recordings',
    LONGHAUL_CONFIG: '/work/here/longhaul.config.ts',
    DOCKER_CERT_PATH: join(homedir(), 'certificates'),
  });
});

test('relative paths in .env are resolved against the data folder', () => {
  writeFileSync(join(home, '.env'), 'LANCEDB_URI=./memories\nLONGHAUL_SCRIPT=~/script\n');
  const environment = withEnvFile({ LONGHAUL_HOME: home }, '/work/here');
  const configuration = readConfiguration(environment);
  expect(configuration.memory.uri).toBe(join(home, 'memories'));
  expect(configuration.model.script).toBe(join(homedir(), 'script'));
  expect(describeSettings(configuration, environment)).toContainEqual({
    name: 'LANCEDB_URI',
    value: join(home, 'memories'),
    source: '.env',
  });
});

test('an address, a program in PATH and a switch are not paths', () => {
  const given = { LANCEDB_URI: 's3://bucket/memories', TEMPORAL_CLI_PATH: 'temporal', LONGHAUL_RECORD: '1' };
  expect(withEnvFile({ LONGHAUL_HOME: home, ...given })).toMatchObject(given);
});

test('readConfiguration resolves relative paths too', () => {
  const { memory, home: dataFolder } = readConfiguration({ LONGHAUL_HOME: 'data', LANCEDB_URI: ' ./memories ' });
  expect([dataFolder, memory.uri]).toEqual([join(process.cwd(), 'data'), join(process.cwd(), 'memories')]);
});
