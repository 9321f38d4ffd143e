import { expect, test } from '@jest/globals';
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
