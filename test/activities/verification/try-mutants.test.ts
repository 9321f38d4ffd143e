import { expect, test } from '@jest/globals';
import type { SessionWork } from '../../../activities/verification/former-files.ts';
import type { PreparedCommit } from '../../../activities/verification/prepared-commit.ts';
import { tryMutants } from '../../../activities/verification/try-mutants.ts';

const content = 'def add(a, b):\n    return a + b\n\ndef double(a):\n    return a * 2\n';
const added = content.split('\n').slice(0, -1);
const diff = (path: string) =>
  `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${added.length} @@\n${added.map((line) => `+${line}\n`).join('')}`;

const work = {
  repository: {
    diff: async () => ['sums.py', 'tests/helpers.py', 'test_sums.py', 'named.py'].map(diff).join(''),
    readText: async () => content,
  },
  feature: {
    verification: { steps: [{ description: 'It adds.', command: 'check' }], protectedPaths: ['named.py'], sealed: [] },
  },
  commit: 'abc',
} as unknown as SessionWork; // nothing else of it is used

/** A check that looks at the sum only. */
const prepared: PreparedCommit = {
  image: 'image',
  async run({ description, command, files = [] }) {
    const passed = !files.some((file) => file.content?.includes('a - b'));
    return { description, command, passed, outcome: 'exited', exitCode: passed ? 0 : 1, output: '', durationMs: 1 };
  },
};

test('mistakes in the changed lines of the work are noticed or missed; files of tests get none', async () => {
  const counts = await tryMutants(prepared, work, { timeMs: 60_000, stepsMs: 1 });
  expect({ ...counts, missed: counts?.missed.toSorted() }).toEqual({
    tried: 3,
    noticed: 1,
    missed: ['sums.py:5: return a * 2 → return a * 3', 'sums.py:5: return a * 2 → return a + 2'],
  });
});

test('no mistake is tried without time', async () => {
  expect(await tryMutants(prepared, work, { timeMs: 0, stepsMs: 1 })).toBeUndefined();
});
