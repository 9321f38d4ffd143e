import { expect, test } from '@jest/globals';
import { describeError } from '../../../cli/program/describe-error.ts';
import { exitCodeOf } from '../../../cli/program/exit-code.ts';
import { ClientError } from '../../../client/errors.ts';
import { DatabaseError } from '../../../db/database-error.ts';
import { gitErrors } from '../../../git/error-messages.ts';

test('a named error is shown by its message alone', () => {
  const error = new ClientError('TemporalUnreachable', 'No server.', { cause: new Error('14 UNAVAILABLE') });
  expect(describeError(error)).toBe('No server.');
});

test('a defect is shown as a defect', () => {
  const text = describeError(new TypeError('x is not a function', { cause: new Error('because') }));
  expect(text).toContain('describe-error.test');
  expect(text).toContain('because of because');
});

test("the output of a refused tool's tests cannot control the terminal", () => {
  const error = new ClientError('InvalidInput', '- tests: they fail:\n\u001b[2Jall is well');
  expect(describeError(error)).toBe('- tests: they fail:\n\u241b[2Jall is well');
});

test('a file or folder that cannot be used is bad input', () => {
  const error = Object.assign(new Error("EACCES: permission denied, open '/root/x'"), {
    code: 'EACCES',
    path: '/root/x',
  });
  expect(describeError(error)).toBe('Could not use /root/x: permission denied. Fix that, or choose another place.');
  expect(exitCodeOf(error)).toBe(2);
});

test('a failed system call is shown without a stack trace', () => {
  const error = Object.assign(new Error("EACCES: permission denied, open '/root/x'"), { code: 'EACCES' });
  expect(describeError(error)).toBe("EACCES: permission denied, open '/root/x'");
});

test('scripts can tell bad input from failure', () => {
  expect(exitCodeOf(new ClientError('InvalidInput', ''))).toBe(2);
  expect(exitCodeOf(new DatabaseError('UnknownProject', ''))).toBe(2);
  expect(exitCodeOf(gitErrors.folderNotEmpty('/x', ['y']))).toBe(2);
  expect(exitCodeOf(new ClientError('TemporalUnreachable', ''))).toBe(1);
  expect(exitCodeOf('thrown')).toBe(1);
});
