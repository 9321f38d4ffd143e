import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { identifyProcess } from '../../config/process-identity.ts';
import { readPostgresFolder } from '../../config/stack-record.ts';
import type { StackReport } from '../../setup/stack/state/stack-state.ts';
import { runCli } from '../cli/run.ts';
import { createTestsInOrder } from '../support/in-order.ts';
import { startCommandLine } from '../support/stack/command-line.ts';
import { readStackRecord } from '../support/stack/stack-record.ts';
import { removeHome, testEnvironment } from '../support/stack/test-environment.ts';
import { waitFor } from '../support/wait-for.ts';

let home: string;
let environment: Record<string, string>;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-e2e-'));
  environment = testEnvironment(home);
});
afterAll(async () => {
  await longhaul('down');
  await removeHome(home);
});

const longhaul = (...parameters: string[]) => startCommandLine(environment, ...parameters).ended;

async function ps(): Promise<StackReport> {
  const { exitCode, stdout } = await runCli(['ps', '--json'], { environment });
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

/** Runs `longhaul up` in the foreground until its output contains this. */
async function upUntil(said: string) {
  const up = startCommandLine(environment, 'up');
  await waitFor(`"${said}"`, () => {
    if (up.hasEnded()) throw new Error(`It ended: ${up.said()}`);
    return up.said().includes(said);
  });
  return up;
}

/** The processes that supervise a stack in this home, which only Linux tells of. */
function supervisorsHere(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const of = (file: string) => readFileSync(join('/proc', name, file), 'utf8').split('\0');
      const isOurs = of('environ').includes(`LONGHAUL_HOME=${home}`);
      return isOurs && of('cmdline').some((word) => word.endsWith('dist/setup/stack/main.js')) ? [Number(name)] : [];
    } catch {
      return []; // no process, or one that has ended meanwhile
    }
  });
}

const isAlive = (pid: number) => identifyProcess(pid) !== undefined;
const pidsOf = ({ services }: StackReport) => services.flatMap(({ pid }) => (pid === null ? [] : [pid]));

test('a killed set-up does not block the next, and finished steps are not repeated', async () => {
  const killed = startCommandLine(environment, 'setup');
  await waitFor('the data folder to be made', async () => {
    const folder = readPostgresFolder(home);
    return folder !== undefined && existsSync(folder) && readdirSync(folder).some((name) => name.startsWith('data.'));
  });
  killed.kill('SIGKILL'); // a process it started is still working on that folder
  await killed.ended;
  const finished = await longhaul('setup');
  expect(finished).toMatchObject({ code: 0, output: expect.not.stringMatching(/✓ Postgres .*already there/) });
  const again = await longhaul('setup');
  expect(again).toMatchObject({ code: 0, output: expect.not.stringMatching(/✓.*\d s$/m) });
  expect(again.output.match(/✓ .* already there$/gm)).toHaveLength(5);
});

const inOrder = createTestsInOrder();

inOrder('of two stacks started in the background at once one runs', async () => {
  const both = [startCommandLine(environment, 'up', '-d'), startCommandLine(environment, 'up', '-d')];
  await waitFor('a process of each', () => supervisorsHere().length === 2);
  const late = Math.max(...supervisorsHere());
  process.kill(late, 'SIGSTOP'); // it has just begun: the other will be first
  try {
    await waitFor('the stack of the other', () => both.some(({ hasEnded }) => hasEnded()));
    await sleep(1_000);
    expect(both.filter(({ hasEnded }) => hasEnded())).toHaveLength(1);
  } finally {
    process.kill(late, 'SIGCONT');
  }
  const ends = await Promise.all(both.map(({ ended }) => ended));
  const supervisors = supervisorsHere();
  expect(supervisors).toHaveLength(1);
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  const named = ends.flatMap(
    ({ output }) => output.match(/runs in the background, process (\d+)\. longhaul down stops it/)?.[1] ?? [],
  );
  expect(named.map(Number)).toEqual([...supervisors, ...supervisors]);
});

inOrder('a stack in the background outlives its command, is started once and ends with `down`', async () => {
  const [supervisor = 0] = supervisorsHere();
  const running = await ps();
  expect(running.status).toBe('ready');
  expect(running.services.map(({ name, state }) => `${name} ${state}`)).toEqual(
    expect.arrayContaining(['postgres ready', 'temporal ready', 'worker ready']),
  );
  expect([supervisor, ...pidsOf(running)].filter((pid) => !isAlive(pid))).toEqual([]);
  expect((await longhaul('ps')).output).toMatch(/^ready, in .*\n(.*\n)*worker +ready +pid \d+ /);

  const again = await longhaul('up', '--detach');
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining('The stack already runs. longhaul down') });
  const follower = await upUntil('This command follows it; Ctrl-C leaves it running');
  follower.kill('SIGINT');
  await follower.ended;
  expect(pidsOf(await ps())).toEqual(pidsOf(running));

  const other = await upUntil('This command follows it; Ctrl-C leaves it running');
  expect(await longhaul('down')).toMatchObject({ code: 0 });
  expect(await other.ended).toMatchObject({ code: 0 });
  expect([supervisor, ...pidsOf(running)].filter(isAlive)).toEqual([]);
  expect((await ps()).status).toBe('stopped');
  expect(await longhaul('down')).toMatchObject({ code: 0, output: 'The stack is not running.\n' });
});

test('a background stack whose start is interrupted is stopped', async () => {
  const up = startCommandLine(environment, 'up', '-d');
  await waitFor('a service to be ready', async () =>
    Boolean((await readStackRecord(home))?.services.some(({ state }) => state === 'ready')),
  );
  const begun = pidsOf(await ps());
  expect(begun).not.toEqual([]);
  up.kill('SIGINT');
  expect(await up.ended).toMatchObject({ code: 130, stderr: 'Interrupted; the stack is stopped.\n' });
  expect((await ps()).status).toBe('stopped');
  expect(begun.filter(isAlive)).toEqual([]);
});

test('Ctrl-C stops the whole stack within ten seconds', async () => {
  const up = await upUntil('Ctrl-C stops it.');
  const running = pidsOf(await ps());
  expect(running.length).toBeGreaterThanOrEqual(3);
  const begin = performance.now();
  up.kill('SIGINT');
  expect(await up.ended).toMatchObject({ code: 0 });
  expect(performance.now() - begin).toBeLessThan(20_000); // ten by design; the margin is for a busy machine
  expect(running.filter(isAlive)).toEqual([]);
  expect((await ps()).status).toBe('stopped');
});
