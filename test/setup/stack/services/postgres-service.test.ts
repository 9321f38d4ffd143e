import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createPostgresService } from '../../../../setup/stack/services/postgres-service.ts';
import { pretendMacOs } from '../../pretend-mac-os.ts';

let mac: ReturnType<typeof pretendMacOs>;
let dataFolder: string;
beforeEach(() => {
  mac = pretendMacOs();
  dataFolder = mkdtempSync(join(tmpdir(), 'longhaul-postgres-'));
});
afterEach(() => {
  mac.end();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Starts where a Postgres that was killed left its pid file. */
async function startAfter({ wroteAt, startedAt }: { wroteAt: string; startedAt: string }): Promise<void> {
  const since = Date.parse(wroteAt) / 1000;
  writeFileSync(join(dataFolder, 'postmaster.pid'), `531\n${dataFolder}\n${since}\n54329\n\n127.0.0.1\n`);
  mac.ps(`echo "Ss   ${startedAt}"`);
  const installation = {
    version: '18',
    dataFolder,
    executable: 'postgres',
    passwordFile: 'none',
    adminPasswordFile: 'none',
  };
  const service = createPostgresService(installation, {});
  await service.command({ ports: { port: 54_329 }, addresses: {}, signal: new AbortController().signal });
}

test('on macOS only a Postgres counts as the one that held the pid', async () => {
  await startAfter({ wroteAt: '2026-11-22T20:00:00Z', startedAt: 'Mon Nov 23 08:05:45 2026' });
  expect(existsSync(join(dataFolder, 'postmaster.pid'))).toBe(false);
});

test('a running Postgres is not started a second time on its data', async () => {
  const inUse = /is in use by another Postgres, process 531\. Stop it/;
  const wroteAt = '2026-11-23T08:05:45Z';
  await expect(startAfter({ wroteAt, startedAt: 'Mon Nov 23 08:05:44 2026' })).rejects.toThrow(inUse);
  await expect(startAfter({ wroteAt, startedAt: 'in the year of the horse' })).rejects.toThrow(inUse);
  expect(existsSync(join(dataFolder, 'postmaster.pid'))).toBe(true);
});
