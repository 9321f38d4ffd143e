import { expect, test } from '@jest/globals';
import { parseArguments, parseJson } from '../../../activities/tools/parse-arguments.ts';

test.each([
  ['get_task', { task: 3_000_000_000 }, 'task'],
  ['update_task_status', { task: 2 ** 31, status: 'complete' }, 'task'],
  ['create_task', { title: 'Later', depends_on: [1, 2 ** 31] }, 'depends_on.1'],
  ['read_output', { message: 2 ** 31 }, 'message'],
] as const)('a number that no column stores is refused: %s', (tool, given, where) => {
  expect(parseArguments(tool, JSON.stringify(given))).toEqual({
    complaint: `The arguments of ${tool} are invalid. ${where}: Too big: expected number to be <=2147483647`,
  });
});

test.each([4_000, 1_000_000])(
  'arguments of %i levels are refused: what stores or shows them may fail on them',
  (levels) => {
    const complaint = expect.stringMatching(/nested more than 100 levels deep|not valid JSON/);
    expect(parseJson('look', `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`)).toEqual({ complaint });
  },
);

test('keys that objects have by themselves are data', () => {
  const read = parseJson('look', '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}');
  expect(Object.keys('value' in read ? (read.value as object) : {})).toEqual(['__proto__', 'constructor']);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});
