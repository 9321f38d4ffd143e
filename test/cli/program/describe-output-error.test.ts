import { expect, test } from '@jest/globals';
import { describeOutputError } from '../../../cli/program/describe-error.ts';

test('a full disk is reported without a stack trace, and a closed pipe is no failure', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect(describeOutputError(full)).toEqual({
    exitCode: 1,
    message:
      'The output could not be written (ENOSPC: no space left on device, write). The command may still have done its work: check before you repeat it.\n',
  });
  expect(describeOutputError(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toEqual({
    exitCode: 0,
    message: '',
  });
});
