import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { npmStart } from '../../cli/npm-start.ts';
import { connectLonghaul } from '../../client/index.ts';
import { identifyProcess } from '../../config/process-identity.ts';
import type { StackState } from '../../config/stack-record.ts';
import { tryLock } from '../../setup/home-lock.ts';
import { writeStateFile } from '../../setup/stack/state/stack-state.ts';
import { stackLock } from '../../setup/stack/supervisor/supervise.ts';
import { recordingReporter } from '../setup/test-configuration.ts';
import { runCli } from './run.ts';

let home: string;
let release: (() => void) | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'longhaul-npm-start-'));
});
afterEach(() => {
  release?.();
  release = undefined;
  jest.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

/** Lets this process pass for the supervisor of a stack that is ready. */
function pretendStack(changes: Partial<StackState>): void {
  mkdirSync(home, { recursive: true });
  const taken = tryLock(stackLock(home));
  if ('heldBy' in taken) throw new Error('The lock of a new home is held.');
  release = taken.release;
  const supervisor = identifyProcess(process.pid) ?? null;
  const startedAt = new Date().toISOString();
  writeStateFile(home, { status: 'ready', supervisor, startedAt, services: [], addresses: {}, ...changes });
}

/** Its exit code, what it printed to stderr, and what was shown of set-up and the stack. */
async function start(parameters: string[], settings: Record<string, string> = {}) {
  let said = '';
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
  const reporter = recordingReporter();
  reporter.begin = () => {
    throw new Error('Expected nothing to be set up or started.');
  };
  const environment = { PATH: process.env.PATH, LONGHAUL_HOME: home, npm_command: 'start', ...settings };
  const exitCode = await npmStart({ reporter, environment, parameters });
  return { exitCode, said, shown: reporter.lines };
}

test('the example is not built with a paid model that was announced as scripted', async () => {
  pretendStack({ asks: { model: 'openai/gpt-5' } });
  const { exitCode, said, shown } = await start([]);
  expect(exitCode).toBe(2);
  expect(said).toMatch(/the running stack uses openai\/gpt-5\. .*`npx longhaul down`, then run `npm start` again\.\n$/);
  expect(shown).toEqual(['\n  The stack already runs. npx longhaul down stops it.']);
});

test('a goal is not built with another paid model than announced', async () => {
  pretendStack({ asks: { model: 'anthropic/claude-opus-5' } });
  const goal = (model: string) => start(['A clock'], { OPENAI_API_KEY: 'k', LONGHAUL_MODEL: model });
  expect(await goal('openai/gpt-5')).toMatchObject({
    exitCode: 2,
    said: expect.stringMatching(
      /^The model set here is openai\/gpt-5, but the running stack uses anthropic\/claude-opus-5\. .* `npx longhaul down`/,
    ),
  });
  // It goes on to the database, of which this stack has no address.
  expect(await goal('anthropic/claude-opus-5')).toMatchObject({
    exitCode: 1,
    said: expect.not.stringContaining('set here'),
  });
});

test('a goal is not sent to OpenAI if only another provider is set', async () => {
  const { exitCode, said } = await start(['A clock'], { LITELLM_BASE_URL: 'http://127.0.0.1:9/v1' });
  expect(exitCode).toBe(2);
  expect(said).toMatch(/Expected a model for the role code, .* Set LONGHAUL_MODEL/);
});

test('a stack without a recorded model does not pass for a scripted one', async () => {
  pretendStack({});
  expect(await start([])).toMatchObject({ exitCode: 2, said: expect.stringContaining('uses a model of your own') });
});

test.each([
  ['a goal without a model is refused', ['A clock'], {}, 'can only build the example project'],
  ['an unknown option without a model is refused', ['--bogus', 'x'], {}, "Unknown option '--bogus'"],
  ['a missing goal file is refused', ['--file', 'none.md'], {}, 'none.md, but there is none'],
  [
    'nothing to build is no failure',
    [],
    { OPENAI_API_KEY: 'k' },
    'Expected a goal, since a model is set: npm start -- "<goal>"',
  ],
])('%s, not bad input', async (_, parameters, settings, message) => {
  const stdin = Object.getOwnPropertyDescriptor(process.stdin, 'isTTY');
  Object.defineProperty(process.stdin, 'isTTY', { value: false, configurable: true });
  try {
    const outcome = await start(parameters, settings);
    expect(outcome).toMatchObject({ exitCode: 2, said: expect.stringContaining(message), shown: [] });
  } finally {
    if (stdin) Object.defineProperty(process.stdin, 'isTTY', stdin);
  }
});

test('a stack with its own script accepts goals and chats', async () => {
  const told = 'which can only build the example project';
  const chat = () => runCli(['chat', '-m', 'hi'], { environment: { LONGHAUL_HOME: home } });
  const addresses = { model: 'http://127.0.0.1:1' };
  pretendStack({ addresses, asks: {} });
  expect(await chat()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(told) });
  release?.();
  pretendStack({ addresses, asks: { script: '/scripts/mine' } });
  // It goes on to the database, of which this stack has no address.
  expect(await chat()).toMatchObject({ exitCode: 1, stderr: expect.not.stringContaining(told) });
});

test('a program gets its own goal, not the example', async () => {
  const nowhere = 'postgres://nobody@127.0.0.1:1/none';
  const addresses = { model: 'http://127.0.0.1:1', database: nowhere, temporal: '127.0.0.1:1' };
  pretendStack({ addresses, asks: {} });
  const longhaul = await connectLonghaul({ environment: { LONGHAUL_HOME: home, DATABASE_URL: nowhere } });
  try {
    await expect(longhaul.startProject({ goal: 'A haiku generator' })).rejects.toMatchObject({
      code: 'InvalidInput',
      message: expect.stringContaining('which can only build the example project'),
    });
  } finally {
    await longhaul.close();
  }
});
