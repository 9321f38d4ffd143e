import { describe, expect, test } from '@jest/globals';
import type { PreparedCommand, PreparedCommit } from '../../../activities/verification/prepared-commit.ts';
import { runSteps } from '../../../activities/verification/run-steps.ts';
import type { StepResult } from '../../../domain/project/settings.ts';

const step = { description: 'The tests pass.', command: 'python3 -m unittest' };

function resultOf({ description, command }: PreparedCommand, tests: number): StepResult {
  const output = `Ran ${tests} tests in 0.001s\n\nOK\n`;
  return { description, command, passed: true, outcome: 'exited', exitCode: 0, output, durationMs: 1 };
}

/** Runs the step where its runner reports some tests now, and reported others before the work. */
async function verify({ now, earlier }: { now: number; earlier?: number }) {
  const run = async (command: PreparedCommand) => resultOf(command, now);
  const prepared: PreparedCommit = { image: 'image', run };
  const before = earlier === undefined ? [] : [{ ...resultOf({ ...step, timeoutMs: 1 }, earlier), passed: false }];
  const scrutiny = { checks: [], former: { steering: [], tests: [] }, before };
  const verification = { steps: [step], protectedPaths: [], sealed: [] };
  const [result] = await runSteps(prepared, { verification }, scrutiny);
  return result;
}

test('a step in which fewer tests ran than before the work does not pass', async () => {
  expect(await verify({ now: 2, earlier: 3 })).toMatchObject({
    passed: false,
    outcome: 'ran fewer tests',
    output: expect.stringContaining('3 tests ran in this step before the work, 2 run now'),
  });
});

test('a step passes in which as many tests ran, or of which no earlier run is known', async () => {
  expect(await verify({ now: 3, earlier: 3 })).toMatchObject({ passed: true });
  expect(await verify({ now: 3, earlier: 1 })).toMatchObject({ passed: true });
  expect(await verify({ now: 3 })).toMatchObject({ passed: true });
});

const helper = { path: 'tests/helpers.py', content: 'strict\n' };

/** The descriptions of the steps that ran, where work passes unless the former helper is in place. */
async function verifyWithFormer(verification: Partial<Parameters<typeof runSteps>[1]['verification']>) {
  const ran: PreparedCommand[] = [];
  const prepared: PreparedCommit = {
    image: 'image',
    async run(command) {
      ran.push(command);
      const isStrict = command.files?.some(({ path }) => path === helper.path) ?? false;
      const passed = !isStrict && !command.isSpoiled;
      return { ...resultOf(command, 1), passed, exitCode: passed ? 0 : 1 };
    },
  };
  const former = { steering: [helper], tests: [] };
  const results = await runSteps(
    prepared,
    { verification: { steps: [], protectedPaths: [], sealed: [], ...verification } },
    { checks: [], former },
  );
  return { ran, results };
}

test('a sealed check runs with former steering files as well, and shows no more of itself then', async () => {
  const file = { path: 'sealed/test_more.py', content: 'def test_more():\n    assert 1 == 1\n' };
  const sealed = [{ requirement: 'It adds.', command: 'python3 -m pytest sealed', files: [file] }];
  const { ran, results } = await verifyWithFormer({ sealed });
  const last = ran.filter(({ files }) => files?.includes(helper));
  expect(last.map(({ isSpoiled }) => isSpoiled ?? false).sort()).toEqual([false, true]);
  const written = last.map(({ files }) => files?.filter(({ content }) => content !== null).map(({ path }) => path));
  expect(written).toEqual(Array(2).fill([helper.path, file.path]));
  // What the work may have put in place of the module is removed.
  const removed = last.map(({ files }) => files?.filter(({ content }) => content === null).map(({ path }) => path));
  const names = ['test_more/__init__.py', 'test_more.so', 'test_more.abi3.so', '__pycache__'];
  expect(removed).toEqual(Array(2).fill(names.map((name) => `sealed/${name}`)));
  const { sealed: hidden, ...shown } = results.at(-1) ?? {};
  expect(shown).toMatchObject({
    description: 'It adds. (with tests/helpers.py as before)',
    passed: false,
    command: 'sealed',
    output: '',
  });
  expect(hidden).toMatchObject({ command: 'python3 -m pytest sealed' });
});

test.each(['npx eslint src', 'python3 -m mypy sums.py', 'make lint', 'npm run typecheck'])(
  '%s runs with former steering files, though it runs no check',
  async (command) => {
    expect((await verifyWithFormer({ steps: [{ ...step, command }] })).results.at(-1)?.passed).toBe(false);
  },
);

test.each(['grep -q "eslint" package.json', './app --help'])('%s does not', async (command) => {
  expect((await verifyWithFormer({ steps: [{ ...step, command }] })).results.map(({ passed }) => passed)).toEqual([
    true,
  ]);
});

test('a step runs with a check as it was that it names, though the check is not protected', async () => {
  const former = { steering: [{ path: 'tests/test_sums.py', content: 'strict\n' }], tests: [] };
  const run = async (command: PreparedCommand) => {
    const passed = !command.files?.length;
    return { ...resultOf(command, 1), passed, exitCode: passed ? 0 : 1 };
  };
  const steps = [{ ...step, command: 'python3 -m pytest tests/test_sums.py' }];
  const verification = { steps, protectedPaths: [], sealed: [] };
  const results = await runSteps({ image: 'image', run }, { verification }, { checks: [], former });
  expect(results.map(({ passed }) => passed)).toEqual([true, false]);
});

test('a step says what it runs by the scripts that were there before the work', async () => {
  const ran: PreparedCommand[] = [];
  const run = async (command: PreparedCommand) => {
    ran.push(command);
    return resultOf(command, 1);
  };
  const scripts = new Map([['Makefile', 'all:\n\tgcc app.c\n']]);
  const verification = { steps: [{ ...step, command: 'make' }], protectedPaths: [], sealed: [] };
  await runSteps({ image: 'image', run }, { verification }, { checks: [], scripts });
  expect(ran).toMatchObject([{ command: 'make', runs: 'gcc app.c' }]);
});

describe('of steps that each run the tests of one package', () => {
  const content = (name: string) => `def test_${name}():\n    assert f(2) == 4\n`;
  const checks = ['a', 'b'].map((name) => ({ path: `${name}/test_${name}.py`, content: content(name) }));
  const steps = ['a', 'b'].map((name) => ({ description: `Package ${name} works.`, command: `cd ${name} && pytest` }));

  /** The results where each step notices what is spoiled in the given packages. */
  async function verifyPackages(notices: (command: string) => string[]) {
    const prepared: PreparedCommit = {
      image: 'image',
      async run(command) {
        const isBroken = (name: string) =>
          command.files?.some(({ path, content: text }) => path.startsWith(name) && !text?.startsWith(content(name)));
        const passed = !notices(command.command).some(isBroken);
        return { ...resultOf(command, 1), passed, exitCode: passed ? 0 : 1 };
      },
    };
    return runSteps(prepared, { verification: { steps, protectedPaths: [], sealed: [] } }, { checks });
  }

  test('what one does not notice, another one has to', async () => {
    const results = await verifyPackages((command) => (command.includes('cd a') ? ['a'] : ['b']));
    expect(results.map(({ passed }) => passed)).toEqual([true, true]);
  });

  test('what none notices is not proven, nor a step that notices nothing itself', async () => {
    const [none] = await verifyPackages(() => ['a']);
    expect(none).toMatchObject({ passed: false, output: expect.stringContaining('test_b in b/test_b.py fails') });
    const [idle] = await verifyPackages((command) => (command.includes('cd a') ? [] : ['a', 'b']));
    expect(idle).toMatchObject({ passed: false, outcome: 'passes with checks that must fail' });
  });
});
