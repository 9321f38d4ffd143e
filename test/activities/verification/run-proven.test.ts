import { expect, test } from '@jest/globals';
import type { PreparedCommand, PreparedCommit } from '../../../activities/verification/prepared-commit.ts';
import { runProven } from '../../../activities/verification/run-proven.ts';

const path = 'tests/test_sums.py';
const step = { description: 'The tests pass.', command: 'python3 -m unittest', timeoutMs: 1_000 };

function checkOf(tests: number) {
  const bodies = Array.from(
    { length: tests },
    (_, index) => `    def test_${index}(self):\n        self.assertEqual(f(), 5)\n`,
  );
  return { path, content: `import unittest\nclass Sums(unittest.TestCase):\n${bodies.join('')}` };
}

/** Runs a step whose work answers as given; returns its result and what was run. */
async function prove(
  tests: number,
  answer: (run: { command: PreparedCommand; broken: string[] }) => { passed: boolean; output?: string },
  { step: { command } = step, ...known }: { step?: { command: string }; isOpen?: boolean; shownBy?: string[] } = {},
) {
  const check = { ...checkOf(tests), ...known };
  const runs: Array<{ command: PreparedCommand; broken: string[] }> = [];
  const prepared: PreparedCommit = {
    image: 'image',
    async run(command) {
      const bodies = (command.files?.[0]?.content ?? '').split('    def ').slice(1);
      const broken = bodies.filter((body) => !body.includes('f(), 5)')).map((body) => body.slice(0, body.indexOf('(')));
      runs.push({ command, broken });
      const { passed, output = '' } = answer({ command, broken });
      return { ...step, passed, outcome: 'exited', exitCode: passed ? 0 : 1, output, durationMs: 1 };
    },
  };
  return { result: await runProven(prepared, { ...step, command }, { checks: [check] }), runs };
}

const honest = ({ broken }: { broken: string[] }) => ({ passed: broken.length === 0, output: broken.join('\n') });

test('a check file is placed anew in every run, and never has the sums of the committed one', async () => {
  const { runs } = await prove(1, honest);
  expect(runs).toHaveLength(2);
  const contents = runs.map(({ command }) => command.files?.[0]?.content ?? '');
  for (const content of contents) expect(content).toMatch(/\n# \w+\n$/);
  expect(new Set([...contents, checkOf(1).content]).size).toBe(3);
});

test('the remark is one of the language that a program is in', async () => {
  const contents: Record<string, string> = {
    'checks/verify': '#!/usr/bin/env node\nconst { f } = require("../f");\nif (f() !== 5) process.exit(1);\n',
    'checks/verify.py': 'from f import f\nassert f() == 5\n',
    'checks/check': '#!/bin/sh\n[ "$(./f)" = 5 ]\n',
  };
  for (const [path, content] of Object.entries(contents)) {
    const placed: string[] = [];
    const run = async (command: PreparedCommand) => {
      placed.push(command.files?.[0]?.content ?? '');
      return { ...step, passed: !command.isSpoiled, outcome: 'exited', exitCode: 0, output: '', durationMs: 1 };
    };
    const command = { ...step, command: path.endsWith('.py') ? `python3 ${path}` : `./${path}` };
    await runProven({ image: 'image', run }, command, { checks: [{ path, content }] });
    for (const one of placed) expect(one).toMatch(path === 'checks/verify' ? /\n\/\/ \w+\n$/ : /\n# \w+\n$/);
  }
});

test('a step passes whose work fails with spoiled checks, and not one whose work passes anyway', async () => {
  expect((await prove(6, honest)).result).toMatchObject({ passed: true, spoiled: { files: [path] } });
  expect((await prove(6, () => ({ passed: true }))).result).toMatchObject({
    passed: false,
    outcome: 'passes with checks that must fail',
  });
});

test('it is drawn whether a step runs spoiled first', async () => {
  const orders = new Set<boolean>();
  while (orders.size < 2) orders.add((await prove(1, honest)).runs[0]?.broken.length === 0);
});

test('of few tests, each is spoiled alone', async () => {
  const { runs, result } = await prove(3, honest);
  expect(runs.map(({ broken }) => broken.join()).sort()).toEqual(['', 'test_0', 'test_1', 'test_2']);
  expect(result.spoiled?.alone).toHaveLength(3);
});

test('it is drawn whether a step runs as it is early or late, so that no time tells', async () => {
  for (const tests of [2, 9]) {
    const isEarly = new Set<boolean>();
    while (isEarly.size < 2) {
      const { runs } = await prove(tests, honest);
      isEarly.add(runs.findIndex(({ broken }) => broken.length === 0) < 2);
    }
  }
});

test('a step that runs a check by a script of its own is tried if it reported the check before the work', async () => {
  const script = { step: { command: './run.sh' } };
  const passes = () => ({ passed: true });
  expect((await prove(2, passes, script)).result.passed).toBe(true);
  const shown = { ...script, shownBy: ['./run.sh'] };
  expect((await prove(2, passes, shown)).result.passed).toBe(false);
  expect((await prove(2, honest, shown)).result).toMatchObject({ passed: true, spoiled: { files: [path] } });
});

test('a check that is not protected is tried in steps that reported it before the work, and in no other', async () => {
  const passes = () => ({ passed: true });
  expect((await prove(2, passes, { isOpen: true })).result.passed).toBe(true);
  expect((await prove(2, passes, { isOpen: true, shownBy: [step.command] })).result.passed).toBe(false);
});

test('a test that the output shows as passed is spoiled alone', async () => {
  const { result } = await prove(9, ({ broken }) => ({
    passed: broken.every((one) => one === 'test_4'),
    output: broken.map((one) => (one === 'test_4' ? `ok 4 - ${one}` : `not ok - ${one}`)).join('\n'),
  }));
  expect(result).toMatchObject({ passed: false, output: expect.stringContaining(`the test test_4 in ${path} fails`) });
});

test('of many tests, all are spoiled together, then those alone whose failure is not shown, or one of any', async () => {
  const { runs } = await prove(9, honest);
  expect(runs.map(({ broken }) => broken.length).sort()).toEqual([0, 1, 9]);
  const { result } = await prove(9, ({ broken }) => ({
    passed: broken.every((one) => one === 'test_4'),
    output: broken.filter((one) => one !== 'test_4').join('\n'),
  }));
  expect(result).toMatchObject({ passed: false, output: expect.stringContaining(`the test test_4 in ${path} fails`) });
});

test('a test whose name begins that of one that failed is spoiled alone', async () => {
  const { result } = await prove(11, ({ broken }) => ({
    passed: broken.every((one) => one === 'test_1'),
    output: broken.flatMap((one) => (one === 'test_1' ? [] : `FAIL: ${one} (tests.test_sums.Sums)`)).join('\n'),
  }));
  expect(result).toMatchObject({ passed: false, output: expect.stringContaining(`the test test_1 in ${path} fails`) });
});

test('a helper that the tests call fails once alone, and is placed anew in every run', async () => {
  const helper = {
    path: 'tests/helpers.py',
    content: 'def equal(one, other):\n    assert one == other\n',
    uses: [{ check: path, name: 'equal', local: 'equal' }],
  };
  const content = `class Sums(unittest.TestCase):\n    def test_one(self):\n        equal(f(), 5)\n`;
  const isSpoiled = ({ files = [] }: PreparedCommand) =>
    !files.some(({ path, content }) => path === helper.path && content?.includes('assert one == other\n'));
  const proveWith = async (ignoresHelper: boolean, tests = content) => {
    const run = async (command: PreparedCommand) => {
      expect(command.files?.map(({ path }) => path)).toEqual([path, helper.path]);
      const isBroken = ignoresHelper ? command.isSpoiled && !isSpoiled(command) : command.isSpoiled;
      return { ...step, passed: !isBroken, outcome: 'exited', exitCode: isBroken ? 1 : 0, output: '', durationMs: 1 };
    };
    return runProven({ image: 'image', run }, step, { checks: [{ path, content: tests }], helpers: [helper] });
  };
  const more = [1, 2, 3, 4]
    .map((one) => `    def test_${one}(self):\n        self.assertEqual(g(), ${one})\n`)
    .join('');
  for (const tests of [content, content + more]) {
    const { passed, spoiled } = await proveWith(false, tests);
    expect({ passed, alone: spoiled?.alone }).toEqual({
      passed: true,
      alone: expect.arrayContaining(['tests/helpers.py: equal']),
    });
    expect(await proveWith(true, tests)).toMatchObject({
      passed: false,
      output: expect.stringContaining('equal in tests/helpers.py fails'),
    });
  }
});
