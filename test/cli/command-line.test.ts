import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { identifyProcess } from '../../config/process-identity.ts';
import { writeStateFile } from '../../setup/stack/state/stack-state.ts';
import { runCli } from './run.ts';

let folder: string;
let environment: Record<string, string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-cli-'));
  environment = { LONGHAUL_HOME: join(folder, 'home') };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...parameters: string[]) => runCli(parameters, { environment, folder });

test("a missing argument is reported with the command's help", async () => {
  const { exitCode, stderr } = await run('diff');
  expect(exitCode).toBe(2);
  expect(stderr).toContain("missing required argument 'checkpoint'");
  expect(stderr).toContain('(longhaul diff --help shows its arguments and options)');
  expect((await run('memory', 'show')).stderr).toContain('(longhaul memory show --help ');
  expect((await run('no-such-command')).stderr).toContain('(longhaul --help lists the commands)');
});

test('help lists every command and every exit code', async () => {
  const { exitCode, stdout } = await run('--help');
  expect(exitCode).toBe(0);
  for (const command of [
    ['up', 'down', 'ps', 'setup', 'start', 'list', 'status', 'features', 'log', 'decisions', 'sessions', 'checkpoints'],
    [
      'diff',
      'transcript',
      'report',
      'open',
      'pause',
      'resume',
      'abandon',
      'session',
      'revert',
      'sandbox',
      'steer',
      'chat',
      'chats',
      'tools',
      'agents',
      'run',
      'init',
      'config',
      'mcp',
    ],
  ].flat()) {
    expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
  }
  expect(stdout).toContain(`Data folder: ${join(folder, 'home')} (LONGHAUL_HOME moves it).\n`);
  expect(stdout).toContain(
    '0 done, 1 failed, 2 wrong usage, bad input or a refused request, 3 the project waits for a person, 130',
  );
});

test('commands are shown as `npx longhaul` to those who call it so', async () => {
  const npx = (...parameters: string[]) =>
    runCli(parameters, { environment: { ...environment, npm_command: 'exec' }, folder });
  expect((await npx('ps')).stdout).toContain('`npx longhaul up` starts one.');
  expect((await npx('list')).stderr).toContain('`npx longhaul up -d`');
  expect((await npx('init')).stderr).toContain('`npx longhaul config` shows');
  expect((await npx('--help')).stdout).toMatch(/^Usage: npx longhaul [\s\S]*`npx longhaul config` lists/);
  expect((await npx('diff')).stderr).toContain('(npx longhaul diff --help shows');
});

test.each([
  ['setup', /the\s+embedding\s+model/],
  ['sandbox', /no\s+running\s+project,\s+chat\s+or\s+tool\s+uses/],
])('the help of %s names downloads and whose things it takes', async (command, told) => {
  expect((await run(command, '--help')).stdout).toMatch(told);
});

test.each([
  [['frobnicate'], /unknown command 'frobnicate'/],
  [['frobnicate', '--help'], /unknown command 'frobnicate'/],
  [['help', 'statsu'], /unknown command 'statsu'\n\(Did you mean status\?\)/],
  [['chats', 'frobnicate', '--help'], /unknown command 'frobnicate'/],
  [['chats', 'shwo', 'garden'], /unknown command 'shwo'\n\(Did you mean show\?\)\n\(longhaul chats --help/],
  [['tasks', 'ad', 'Water the bed'], /unknown command 'ad'\n\(Did you mean add\?\)\n\(longhaul tasks --help/],
  [['tasks', 'list', 'all'], /too many arguments for 'list'/],
  [['status', '--frobnicate'], /unknown option '--frobnicate'/],
  [['revert', 'spend'], /missing required argument 'checkpoint'/],
  [['start', 'x', '--max-sessions', '0'], /Expected a whole number, 1 or more/],
  [['start', 'x', '--network', 'pakages'], /Expected none, packages, all, or host names/],
  [['log', '-n', 'many'], /Expected a whole number/],
])('%j is wrong usage', async (parameters, message) => {
  const { exitCode, stderr } = await run(...parameters);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(message);
});

test('a data folder below a file is reported as such', async () => {
  const home = join(folder, 'file', 'home');
  writeFileSync(join(folder, 'file'), '');
  const { exitCode, stderr } = await runCli(['up', '-d'], { environment: { LONGHAUL_HOME: home }, folder });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^Could not write in Longhaul's data folder .*Name another with LONGHAUL_HOME\.$/m);
});

test('a folder in place of .env, and a data folder below /proc, are bad input', async () => {
  mkdirSync(join(folder, 'odd', '.env'), { recursive: true });
  for (const [home, message] of [
    [join(folder, 'odd'), `Could not read ${join(folder, 'odd', '.env')}: EISDIR`],
    ['/proc/longhaul', 'not one in /proc, /sys or /dev'],
  ] as const) {
    const { exitCode, stderr } = await runCli(['up', '-d'], { environment: { LONGHAUL_HOME: home }, folder });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});

test('only options of the command are suggested', async () => {
  const { exitCode, stderr } = await run('resume', '--reason', 'x');
  expect([exitCode, stderr]).toEqual([2, expect.not.stringContaining('Did you mean')]);
  expect((await run('resume', '--modle', 'x')).stderr).toContain('(Did you mean --model?)');
  expect((await run('--version')).stdout).toMatch(/^\d/);
});

test('a verification without an agent needs a feature', async () => {
  const { exitCode, stderr } = await run('session', 'greeter', '--verify-only');
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: 'Expected --feature <name> with --verify-only.\n' });
});

test('an empty goal is refused', async () => {
  for (const parameters of [['start'], ['start', ''], ['start', '  ']]) {
    expect(await run(...parameters)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Expected a goal, but the goal is empty.'),
    });
  }
});

test('a goal file that is missing, empty, a folder or no text is refused', async () => {
  mkdirSync(join(folder, 'goals'));
  writeFileSync(join(folder, 'empty.md'), '\n');
  expect(await run('start', '--file', 'none.md')).toMatchObject({
    exitCode: 2,
    stderr: `Expected the goal in the file ${join(folder, 'none.md')}, but there is none.\n`,
  });
  expect((await run('start', '--file', 'goals')).stderr).toContain('but it is a folder.');
  writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x00, 0xff]));
  expect(await run('start', '--file', 'picture.png')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('got 4 bytes that are something else'),
  });
  expect((await run('start', '--file', 'empty.md')).stderr).toContain('Expected a goal, but empty.md is empty.');
});

test('a goal given twice is refused', async () => {
  expect(await run('start', 'one', '--file', 'two.md')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Expected a goal or --file, got both.'),
  });
});

test('a features.json that is not JSON or not a list of features is refused with the reason', async () => {
  writeFileSync(join(folder, 'broken.json'), '{ "features": ');
  writeFileSync(join(folder, 'wrong.json'), '{ "features": [] }');
  expect(await run('start', 'x', '--features', 'broken.json')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^Expected JSON in .*broken\.json: /),
  });
  expect(await run('start', 'x', '--features', 'wrong.json')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/wrong\.json cannot be used:\n {2}summary: /),
  });
});

test('without a stack every command says how to start one', async () => {
  for (const parameters of [
    ['list'],
    ['status'],
    ['start', 'a program'],
    ['pause'],
    ['open', 'x'],
    ['chat', '-m', 'x'],
  ]) {
    expect(await run(...parameters)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Start the stack with `longhaul up -d`, or set DATABASE_URL.'),
    });
  }
  expect((await run('ps')).stdout).toContain('`longhaul up` starts one.');
});

test('a stack whose supervisor was killed is reported as such', async () => {
  const home = join(folder, 'killed');
  mkdirSync(home);
  const self = identifyProcess(process.pid) as { pid: number; startMark: string };
  const service = {
    ...{ name: 'postgres', state: 'ready' as const, ...self, startedAt: null, ports: {}, url: null, restarts: 0 },
    ...{ log: '', stop: { signal: 'SIGTERM', graceMs: 0 } },
  };
  const supervisor = { pid: 2 ** 22 + 1, startMark: 'gone' };
  const state = { status: 'ready' as const, supervisor, startedAt: '', addresses: { database: 'postgres://x@y/z' } };
  writeStateFile(home, { ...state, services: [service] });
  const status = () => runCli(['status'], { environment: { LONGHAUL_HOME: home }, folder });
  const { exitCode, stderr } = await status();
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('its supervisor was killed')]);
  expect(stderr).toContain('`longhaul up` takes them over');
  writeStateFile(home, { ...state, services: [] });
  expect((await status()).stderr).toContain('found neither');
});

test('without Postgres the error has no stack trace and no password', async () => {
  const { exitCode, stderr } = await runCli(['list'], {
    environment: { ...environment, DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/longhaul' },
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "Expected Longhaul's Postgres at 127.0.0.1:1/longhaul, but it does not answer (ECONNREFUSED).",
  );
  expect(stderr).not.toContain('secret');
});

test('an unknown setting is reported', async () => {
  const { exitCode, stderr } = await runCli(['list'], { environment: { LONGHAUL_MODEL_HEADERS: 'maybe' } });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('LONGHAUL_MODEL_HEADERS');
});
