import { expect, test } from '@jest/globals';
import { parseArguments } from '../../../activities/tools/parse-arguments.ts';

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
