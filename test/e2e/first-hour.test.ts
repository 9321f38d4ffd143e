import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../config/package-root.ts';
import { stackId } from '../../config/stack-id.ts';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../../sandbox/docker/host/connect-docker.ts';
import { compareRecording, openShell, readRecording } from '../support/recording.ts';
import { layOutPostgres } from '../support/servers/lay-out-postgres.ts';
import { removeSandboxes } from '../support/stack/remove-sandboxes.ts';
import { smallProject } from '../support/stack/scripts.ts';
import { removeHome, testEnvironment } from '../support/stack/test-environment.ts';

/** A person's home, in which nothing is but a checkout. */
let home: string;
let shell: ReturnType<typeof openShell>;

/** What the test does in another way: it has a checkout already, and leaves this machine's npm alone. */
const instead = new Map([
  ['git clone <repo> longhaul && cd longhaul', 'cd ~/longhaul'],
  ['npm link', 'ln -s ~/longhaul/bin/longhaul.cjs ~/bin/longhaul'],
]);

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-first-hour-'));
  const longhaulHome = join(home, '.longhaul');
  for (const folder of ['bin', '.longhaul', 'script']) mkdirSync(join(home, folder));
  symlinkSync(packageRoot(), join(home, 'longhaul'));
  await layOutPostgres(longhaulHome);
  // The example that `npm start` builds is example.test.ts's matter; here it is one small feature.
  writeFileSync(join(home, 'script', 'spend.yaml'), JSON.stringify(smallProject([{ name: 'entries' }]))); // JSON is YAML
  const environment = testEnvironment(longhaulHome);
  shell = openShell(
    {
      ...environment,
      HOME: home,
      PATH: `${join(home, 'bin')}:${environment.PATH}`,
      LONGHAUL_SCRIPT: join(home, 'script'),
    },
    home,
  );
});
afterAll(async () => {
  await shell?.run('node ~/longhaul/bin/longhaul.cjs down'); // also if the test ended before `npm link`
  shell?.close();
  const docker = connectDocker(process.env.DOCKER_HOST);
  await removeSandboxes(createSandboxes({ docker, stack: stackId(join(home, '.longhaul')) }));
  await removeHome(join(home, '.longhaul'));
  rmSync(home, { recursive: true, force: true });
});

test('the recording of the first hour goes as it says', async () => {
  const commands = readRecording(readFileSync(join(packageRoot(), 'docs', 'first-hour.md'), 'utf8'));
  expect(commands.length).toBeGreaterThan(12);
  const ids = new Map<string, string>();
  for (const { command, printed } of commands) {
    const known = [...ids].reduce((text, [recorded, id]) => text.replaceAll(recorded, id), command);
    const { lines, code } = await shell.run(instead.get(command) ?? known);
    const shown = lines.map((line) => line.replaceAll(home, '~'));
    const difference = compareRecording(printed, shown, ids);
    if (code !== 0 || difference)
      throw new Error(`$ ${command}\nended with ${code}. ${difference ?? ''}\nAll of it:\n${shown.join('\n')}`);
  }
});
