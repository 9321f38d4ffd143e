import { expect, test } from '@jest/globals';
import {
  hasReport,
  namesCheck,
  readTestCounts,
  saysFailed,
  showsFailure,
} from '../../../domain/verification/test-counts.ts';

test.each([
  ['unittest', '..s\n----\nRan 3 tests in 0.001s\n\nOK (skipped=1)\n', { ran: 2, skipped: 1 }],
  ['unittest', 'Ran 4 tests in 0.1s\n\nFAILED (failures=1, errors=1)\n', { ran: 4, skipped: 0 }],
  ['pytest', '..s\n2 passed, 1 skipped in 0.12s\n', { ran: 2, skipped: 1 }],
  ['pytest', '==== 1 failed, 2 passed, 3 deselected, 1 warning in 1.20s ====\n', { ran: 3, skipped: 3 }],
  ['node', '# tests 5\n# suites 0\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 0\n', { ran: 4, skipped: 1 }],
  ['node', 'ℹ tests 2\nℹ pass 2\nℹ fail 0\nℹ skipped 0\n', { ran: 2, skipped: 0 }],
  [
    'jest',
    'Test Suites: 1 passed, 1 total\nTests:       1 failed, 1 skipped, 3 passed, 5 total\n',
    { ran: 4, skipped: 1 },
  ],
  ['vitest', '      Tests  1 failed | 3 passed | 1 skipped (5)\n', { ran: 4, skipped: 1 }],
  ['mocha', '\n  3 passing (12ms)\n  1 pending\n  2 failing\n\n', { ran: 5, skipped: 1 }],
])('the summary of %s is read', (_, output, counts) => {
  expect(readTestCounts(output)).toEqual(counts);
});

test('several summaries are added up; an output without one says nothing', () => {
  const output = 'Ran 1 test in 0.001s\n\nOK\n1 passed in 0.1s\n';
  expect(readTestCounts(output)).toEqual({ ran: 2, skipped: 0 });
  expect(readTestCounts('it passed all 5 tests in 2 s\n')).toBeUndefined();
});

test('a report names a check by its file, or in Python by its module', () => {
  const missing = 'ERROR: tests.test_sums (unittest.loader._FailedTest)\nRan 1 test in 0.0s\n\nFAILED (errors=1)\n';
  expect([
    hasReport(missing),
    hasReport('FAIL sums.test.js\nTest Suites: 1 failed'),
    hasReport('sums.test.js'),
  ]).toEqual([true, true, false]);
  expect(['tests/test_sums.py', 'tests/test_sum.py', 'tests.py'].map((path) => namesCheck(missing, path))).toEqual([
    true,
    false,
    false,
  ]);
  expect(namesCheck('FAIL dist/sums.test.js', 'src/sums.test.ts')).toBe(true);
  expect(namesCheck('FAIL web/[id].test.js', 'web/[id].test.js')).toBe(true);
});

test.each([
  ['pytest', 'py', 'tests/test_old.py .\nERROR tests/test_sums.py\n1 passed, 1 error in 0.1s\n'],
  [
    'unittest',
    'py',
    'test_old (tests.test_old.A) ... ok\nERROR: tests.test_sums (unittest)\nRan 2 tests in 0.0s\n\nFAILED\n',
  ],
  ['node', 'js', '✔ test/test_old.js\n✖ test/test_sums.js\n# tests 2\n# fail 1\n'],
  ['jest', 'js', 'PASS ./test_old.js\nFAIL ./test_sums.js\nTests: 1 passed, 1 total\n'],
])('a report of %s says which files failed', (_, ending, output) => {
  expect(['sums', 'old'].map((name) => saysFailed(output, `tests/test_${name}.${ending}`))).toEqual([true, false]);
});

test.each([
  ['unittest', 'FAIL: adds (tests.test_sums.Sums)\nFAIL: adds_more (tests.test_sums.Sums.adds_more)\n'],
  ['pytest', '____ adds ____\n____ adds_more ____\nFAILED tests/test_sums.py::adds_more - assert 1 == 2\n'],
  ['pytest', 'FAILED tests/test_sums.py::adds[1-2]\nFAILED tests/test_sums.py::adds_more\n'],
  ['node', 'not ok 1 - adds\nnot ok 2 - adds_more\n'],
  ['node', '✖ adds (1.2ms)\n✖ adds_more (1.2ms)\n'],
  ['jest', '  ● sums › adds\n\n  ● sums › adds_more\n'],
  ['jest', '    ✕ adds (3 ms)\n    ✕ adds_more (3 ms)\n'],
  ['vitest', ' FAIL  test/sums.test.js > sums > adds\n   × adds_more 3ms\n'],
  ['mocha', '    1) adds\n    2) adds_more\n'],
])('an output of %s shows which tests failed, each by its whole name', (_, output) => {
  const [, other = ''] = /^((?:.*adds_more.*\n?)+)/m.exec(output.replace(/.*\badds\b.*\n/, '')) ?? [];
  expect([showsFailure(output, 'adds'), showsFailure(output, 'adds_more')]).toEqual([true, true]);
  expect(showsFailure(other, 'adds')).toBe(false);
});

test('a test that an output names otherwise is not shown as failed', () => {
  const passed = ['✔ adds (1ms)', 'ok 1 - adds', 'tests/test_sums.py::adds PASSED', 'adds (Sums) ... ok'];
  const others = ['  > 4 | test("adds", () => {', 'not ok 2 - adds negative numbers', '✖ adds 2 and 3 (1ms)'];
  expect([...passed, ...others].filter((line) => showsFailure(line, 'adds'))).toEqual([]);
});
