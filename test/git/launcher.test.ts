import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createLauncher, type ProcessOptions, runGitHere } from '../../git/process/launcher/launcher.ts';
import { waitFor } from '../support/wait-for.ts';

const options: ProcessOptions = {
  cwd: '/',
  env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
  maxBytes: 1_000_000,
};
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

/** The launchers among this process's children: they start git on its behalf. */
const launchers = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, parent] = readFileSync(`/proc/${pid}/stat`, 'latin1')
          .replace(/^.*\) /, '')
          .split(' ');
        return (
          parent === String(process.pid) &&
          readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('git/process/launcher/main.mjs')
        );
      } catch {
        return false; // it ended in the meantime
      }
    })
    .map(Number);

test.each([
  ['a launcher', createLauncher()],
  ['this process', runGitHere],
])('what git is given, says and ends with would be lost where %s starts it', async (_who, run) => {
  const [hash, wrong, cut, nowhere] = await Promise.all([
    run(['hash-object', '--stdin'], { ...options, input: Buffer.from([0xff, 0, 0x41]) }),
    run(['no-such-command'], options),
    run(['help', '-a'], { ...options, maxBytes: 10 }),
    run(['version'], { ...options, env: { PATH: '/nowhere' } }),
  ]);
  const { stdout } = await run(['hash-object', '--stdin'], { ...options, input: Buffer.from([0xff, 0, 0x41]) });
  expect(text(hash.stdout)).toMatch(/^[0-9a-f]{40}\n$/);
  expect(text(stdout)).toBe(text(hash.stdout));
  expect([wrong.exitCode, text(wrong.stderr)]).toEqual([1, expect.stringContaining('is not a git command')]);
  expect([cut.isCut, text(cut.stdout).length]).toEqual([true, 10]);
  expect([nowhere.startError, nowhere.exitCode]).toEqual(['ENOENT', undefined]);
});

test('a launcher that is killed would leave its callers waiting, or be the last one', async () => {
  const before = launchers();
  const run = createLauncher();
  await run(['version'], options);
  const [launcher] = launchers().filter((pid) => !before.includes(pid));
  if (launcher === undefined) throw new Error('Expected a process that starts git, found none.');
  const waiting = run(['-c', 'alias.wait=!sleep 2', 'wait'], options).catch((error: Error) => error.message);
  process.kill(launcher, 'SIGKILL');
  expect(await waiting).toContain('ended by itself (SIGKILL)');
  await waitFor('the launcher to be gone', 120_000, () => !launchers().includes(launcher));
  expect((await run(['version'], options)).exitCode).toBe(0);
});
