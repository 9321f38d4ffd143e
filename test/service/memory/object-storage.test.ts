import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startS3 } from '../../support/servers/start-s3.ts';
import { startCommandLine } from '../../support/stack/command-line.ts';

// .ci/run installs it; elsewhere this test runs only if `pip install 'moto[s3,server]'` has put it on the path.
const moto = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'moto_server'))
  .find((path) => existsSync(path));
const withS3 = moto === undefined ? test.skip : test;

withS3(
  'memories in object storage can be added by several processes at once, searched, edited and forgotten',
  async () => {
    const s3 = await startS3(moto as string);
    const home = await mkdtemp(join(tmpdir(), 'longhaul-s3-'));
    try {
      const environment = {
        PATH: process.env.PATH ?? '',
        LONGHAUL_HOME: home,
        LONGHAUL_MODEL_EMBEDDING: 'none',
        LANCEDB_URI: `s3://${s3.bucket}/memories`,
        ...s3.environment,
      };
      const run = async (...parameters: string[]) => {
        const { code, output } = await startCommandLine(environment, 'memory', ...parameters).ended;
        expect([code, output]).toEqual([0, output]);
        return output.trim();
      };
      const towns = ['Paris', 'Rome', 'Lisbon'];
      const ids = await Promise.all(towns.map((town, index) => run('add', `Person ${index} of ours lives in ${town}`)));
      await run('edit', ids[2] as string, '--text', 'Person 2 of ours lives in Porto');
      expect(await run('search', 'who', 'lives', 'in', 'Porto', '--limit', '1')).toContain(ids[2]);
      expect(await run('forget', ids[0] as string)).toMatch(/^Forgot 1 of 1\./);
      expect(JSON.parse(await run('stats', '--json'))).toMatchObject({ memories: towns.length - 1 });
    } finally {
      await s3.stop();
      await rm(home, { recursive: true, force: true });
    }
  },
  300_000,
);
