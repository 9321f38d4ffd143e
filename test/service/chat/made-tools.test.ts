import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../../config/package-root.ts';
import { runCli } from '../../cli/run.ts';
import { slugify } from '../../sandbox/made-tools/sample-tools.ts';
import { call } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';
import { waitFor } from '../../support/wait-for.ts';
import { inEachSandbox } from '../../support/work/sandboxes-of.ts';

const asked = { title: 'Hello, World' };
const bad = { ...slugify, code: slugify.code.replace('import re', 'import os, re') };

const script = {
  entries: [
    {
      after: 'Make a tool',
      turns: [
        call('generate_tool', bad),
        { ...call('generate_tool', slugify), expect: ['- code, line 1: expected imports of', 'got os'] },
        { ...call('slugify', asked), expect: ['you can call slugify from your next turn on'] },
        { text: 'It says hello-world.', expect: ['hello-world'] },
      ],
    },
    { after: 'Use it', turns: [call('slugify', asked), { text: 'Again hello-world.', expect: ['hello-world'] }] },
    { after: 'Wait for it', turns: [call('slow', {}), { text: 'It came.', expect: ['slept'] }] },
    {
      after: 'From Bern to Basel',
      turns: [
        {
          ...call('travel_time', { kilometres: 500, speed: 100 }),
          expect: ['You plan travel for one person.', 'You have 8 model calls'],
        },
        { text: 'Leave early.', expect: ['5 h 30 min'] },
      ],
    },
    { after: 'And back', turns: [{ text: 'Leave late.', expect: ['Speak like a pirate.', 'From Bern to Basel'] }] },
    { after: 'My garden lies in the shade', turns: [{ text: 'Noted.' }] },
    { after: 'What should I plant', turns: [{ text: 'Ferns.', expect: ['in the shade', 'Noted.'] }] },
    { after: 'What is a slug', turns: [{ text: 'A short name.' }] },
  ].map((entry) => ({ role: 'chat', ...entry })),
};

let stack: ServiceStack;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-made-tools-'));
  stack = await startServiceStack({
    worker: 'process',
    script,
    settings: "export default { permissions: { allow: ['Tool(generate_tool)'] } };\n",
  });
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program as a process of its own; rejects if it fails. */
async function run(file: string, ...parameters: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [join(packageRoot(), file), ...parameters], {
    env: stack.environment,
    cwd: folder,
    timeout: 240_000,
  });
}

/** The processes, in a chat's container, that call a made tool right now. */
async function callsOf(chatId: string): Promise<string[]> {
  const lists = await inEachSandbox(chatId, undefined, async (_name, container) => {
    const { Processes: list } = (await container.top({ ps_args: '-eo pid,args' })) as { Processes: string[][] | null };
    return list ?? []; // null while the container stops
  });
  return lists.flat().flatMap(([pid = '', command]) => (command?.includes('python3 -I -c') ? [pid] : []));
}

const longhaul = (...parameters: string[]) => runCli(parameters, { environment: { ...stack.environment }, folder });

test('a tool that an agent makes is available for its next call and in other conversations', async () => {
  const made = await longhaul('chat', '--session', 'maker', '-m', 'Make a tool');
  expect(made.stdout).toBe('It says hello-world.\n');
  expect(made.stderr).toMatch(/✗ generate_tool .*\n✓ generate_tool .*slugify, version 1\n✓ slugify .*hello-world\n/);
  expect((await longhaul('chat', '--session', 'user', '-m', 'Use it')).stdout).toBe('Again hello-world.\n');
  expect(await stack.longhaul.tools.find('slugify')).toMatchObject({
    version: 1,
    uses: 2,
    failures: 0,
    author: expect.stringMatching(/^chat-maker-.*-r1$/),
  });
});

test('a made tool whose worker is killed runs once and gives its answer', async () => {
  const code = 'import time\n\ndef slow():\n    time.sleep(8)\n    return "slept"\n';
  const tests =
    'import tool\nfrom unittest import mock\n\ndef test_slow():\n    with mock.patch("time.sleep"):\n        assert tool.slow() == "slept"\n';
  await stack.longhaul.tools.add({
    ...slugify,
    name: 'slow',
    parameters: { type: 'object', properties: {} },
    code,
    tests,
  });
  const chat = await stack.longhaul.chat('waiting');
  await chat.say('Wait for it');
  const calls = new Set<string>();
  async function look(): Promise<void> {
    for (const pid of await callsOf(chat.id ?? '')) calls.add(pid);
  }
  await waitFor('the call', async () => {
    await look();
    return calls.size > 0;
  });
  await stack.restartWorker();
  await waitFor('the answer', async () => {
    await look();
    return (await chat.history())[0]?.answer === 'It came.';
  });
  expect(await stack.longhaul.tools.find('slow')).toMatchObject({ uses: 1, failures: 0 });
  expect([...calls]).toHaveLength(1); // the same call went on in the same container
});

test('an agent of a folder is used, and an edit of it is announced', async () => {
  const agent = join(folder, 'planner');
  cpSync(join(packageRoot(), 'examples/custom-agent'), agent, { recursive: true });
  const first = await longhaul('run', 'planner', '-m', 'From Bern to Basel', '--session', 'trip');
  expect(first.stdout).toBe('Leave early.\n');
  expect(first.stderr).not.toContain('Agent changed');
  const file = join(agent, 'agent.md');
  writeFileSync(file, `${readFileSync(file, 'utf8')}\nSpeak like a pirate.\n`);
  const second = await longhaul('chat', '--continue', '-m', 'And back');
  expect(second).toMatchObject({ stdout: 'Leave late.\n', stderr: 'Agent changed: travel-planner\n' });
  writeFileSync(file, readFileSync(file, 'utf8').replace('modelCalls: 8', 'modelCalls: many'));
  expect(await longhaul('chat', '--continue', '-m', 'And back')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("limits.modelCalls: expected number, got 'many'"),
  });
  expect(await (await stack.longhaul.existingChat('trip')).history()).toHaveLength(2);
  writeFileSync(file, readFileSync(file, 'utf8').replace('modelCalls: many', 'modelCalls: 9'));
  await longhaul('chat', '--session', 'user', '-m', 'Use it');
  const third = await longhaul('run', './planner', '--continue', '-m', 'And back');
  expect(third.stdout).toBe('Leave late.\n');
  const agents = (await stack.longhaul.chats()).map(({ name, agent: one }) => [name, one?.name]);
  expect(agents).toEqual(
    expect.arrayContaining([
      ['trip', 'travel-planner'],
      ['user', undefined],
    ]),
  );
});

test('the examples run', async () => {
  expect((await run('dist/examples/basic-chat.js')).stdout).toBe(
    '> My garden lies in the shade.\nNoted.\n> What should I plant in it?\nFerns.\n',
  );
  expect((await run('dist/examples/single-turn.js')).stdout).toBe('A short name.\n');
  const tool = join(packageRoot(), 'examples/custom-tool');
  expect((await longhaul('tools', 'create', '--file', tool)).stdout).toBe('Created split_bill, version 1.\n');
});
