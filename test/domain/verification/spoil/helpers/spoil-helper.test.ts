import { expect, test } from '@jest/globals';
import { drawsOf } from '../../../../../domain/verification/spoil/draw.ts';
import { spoilHelper } from '../../../../../domain/verification/spoil/helpers/spoil-helper.ts';

const pythonHelper = 'def equal(one, other):\n    assert one == other\n';
const javascriptHelper =
  "import assert from 'node:assert/strict';\nexport const equal = (one, other) => assert.equal(one, other);\n";
const inPython = (body: string, before = '') =>
  `${before}class Sums(unittest.TestCase):\n    def test_add(self):\n        ${body}\n`;
const inJavaScript = (body: string, before = '') => `${before}test('adds', async () => {\n  ${body}\n});\n`;

/** The lines of a helper that change, for a check whose one test surely runs. */
function changed(check: string, helper: string, local = 'equal') {
  const isPython = helper.includes('def ');
  const path = isPython ? 'tests/test_sums.py' : 'test/sums.test.js';
  const uses = [{ check: path, name: 'equal', local }];
  const tests = [{ name: isPython ? 'test_add' : 'adds' }];
  const helpers = [{ path: isPython ? 'tests/helpers.py' : 'test/helpers.js', content: helper, uses }];
  const spoiled = spoilHelper([{ path, content: check, tests }], helpers, drawsOf(1));
  return spoiled?.content.split('\n').filter((line) => !helper.split('\n').includes(line));
}

test.each([
  ['a function', inPython('equal(add(2, 3), 5)'), 'equal', pythonHelper],
  ['under another name', inPython('same(add(2, 3), 5)'), 'same', pythonHelper],
  ['in a loop', inPython('for one in values:\n            equal(one, 5)'), 'equal', pythonHelper],
  ['a function', inJavaScript('equal(add(2, 3), 5);'), 'equal', javascriptHelper],
  ['under another name', inJavaScript('same(add(2, 3), 5);'), 'same', javascriptHelper],
  [
    'of CommonJS',
    inJavaScript('equal(add(2, 3), 5);'),
    'equal',
    'exports.equal = (one, other) => expect(one).toBe(other);\n',
  ],
  [
    'that is awaited',
    inJavaScript('await equal(add(2, 3), 5);'),
    'equal',
    'export async function equal(one, other) {\n  if (one !== other) throw new Error();\n}\n',
  ],
])('a helper that a test surely calls fails: %s', (_, check, local, helper) => {
  expect(changed(check, helper, local)).toHaveLength(1);
});

test.each([
  ['is called under a condition', inPython('if ready:\n            equal(add(2, 3), 5)'), pythonHelper],
  ['may fail', inPython('with self.assertRaises(AssertionError):\n            equal(1, 2)'), pythonHelper],
  ['is defined anew', inPython('equal(1, 1)', 'def equal(one, other): pass\n'), pythonHelper],
  ['is a parameter', inPython('equal(1, 1)').replace('(self)', '(self, equal)'), pythonHelper],
  ['may be replaced', inPython('equal(1, 1)', 'from unittest.mock import patch\n'), pythonHelper],
  ['is wrapped', inPython('equal(1, 1)'), `@contextmanager\n${pythonHelper}`],
  ['yields', inPython('equal(1, 1)'), `${pythonHelper}    yield\n`],
  ['asserts under a condition', inPython('equal(1, 1)'), 'def equal(a, b):\n    if a:\n        assert a == b\n'],
  ['is in a class', inPython('equal(1, 1)'), 'class A:\n    def equal(a, b):\n        assert a == b\n'],
  ['is called under a condition', inJavaScript('if (ready) equal(1, 1);'), javascriptHelper],
  ['may fail', inJavaScript('expect(() => equal(1, 2)).toThrow();'), javascriptHelper],
  ['may be replaced', inJavaScript('equal(1, 1);', "jest.mock('./helpers');\n"), javascriptHelper],
  [
    'is not awaited',
    inJavaScript('equal(1, 1);'),
    'export async function equal(one, other) {\n  assert.equal(one, other);\n}\n',
  ],
])('a helper stays as it is that %s', (_, check, helper) => {
  expect(changed(check, helper)).toBeUndefined();
});
