import { expect, test } from '@jest/globals';
import { findSealedWithoutValues } from '../../../../domain/verification/spoil/sealed-values.ts';

const sealed = (command: string, files: Record<string, string> = {}) => ({
  requirement: 'It doubles.',
  command,
  files: Object.entries(files).map(([path, content]) => ({ path, content })),
});

test.each([
  ['a test that compares', 'python3 -m pytest sealed', { 'sealed/test_f.py': 'def test_f():\n    assert f(2) == 4\n' }],
  [
    'a test of truth',
    'python3 -m unittest sealed/test_f.py',
    {
      'sealed/test_f.py':
        'import unittest\nclass T(unittest.TestCase):\n    def test_f(self):\n        self.assertTrue(f(2))\n',
    },
  ],
  [
    'one test of two that compares',
    'npx jest',
    {
      'f.test.js':
        "test('a', () => {\n  for (const n of list) check(n);\n});\ntest('b', () => {\n  expect(f(2)).toBe(4);\n});\n",
    },
  ],
  ['a script that compares', 'sh check.sh', { 'check.sh': '[ "$(./f 2)" = 4 ] || exit 1\n' }],
  ['a script with code', 'sh check.sh', { 'check.sh': "set -e\npython3 -c 'from f import f; assert f(2) == 4'\n" }],
  ['a command that compares beside a script', 'sh check.sh && [ "$(./f 2)" = 4 ]', { 'check.sh': 'prepare\n' }],
  ['a file in a language that is not known', 'go test ./...', { 'f_test.go': 'package f\n' }],
  ['a command that only looks at files', 'test -f README.md', {}],
  ['a command that compares', '[ "$(./f 2)" = 4 ]', {}],
])('%s has a value, or nothing is known of it', (_, command, files) => {
  expect(findSealedWithoutValues([sealed(command, files)])).toEqual([]);
});

test.each([
  [
    'loops',
    'python3 -m pytest sealed',
    { 'sealed/test_f.py': 'def test_f():\n    for given, wanted in CASES:\n        assert f(given) == wanted\n' },
  ],
  [
    'is content with about the same',
    'python3 -m pytest sealed',
    { 'sealed/test_f.py': 'def test_f():\n    assert f(2) == approx(4.0, rel=0.5)\n' },
  ],
  ['calls a function of its own', 'node check.mjs', { 'check.mjs': "check('doubles', f(2), 4);\n" }],
  [
    'compares in a function',
    'bash check.sh',
    { 'check.sh': 'same() { [ "$1" = "$2" ] || exit 1; }\nsame "$(./f 2)" 4\nexit 0\n' },
  ],
  ['is a program that exits', `python3 -c "import f, sys; sys.exit(f.f(2) - 4)"`, {}],
  ['imports another file', 'python3 check.py', { 'check.py': 'import inner\n', 'inner.py': 'assert f(2) == 4\n' }],
])('a check that %s is only made to fail', (_, command, files) => {
  const checks = [sealed(command, files), sealed('sh check.sh', { 'check.sh': '[ "$(./f 2)" = 4 ]\n' })];
  expect(findSealedWithoutValues(checks)).toEqual([checks[0]]);
});
