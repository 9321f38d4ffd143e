import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { scrubOutput } from '../../workers/scrub-output.ts';

test('what a worker logs has no secrets', () => {
  const stream = new PassThrough();
  scrubOutput(stream as unknown as NodeJS.WriteStream);
  stream.write(`Could not push with ghp_${'a1B2'.repeat(9)}.\n`);
  expect(stream.read().toString()).toBe('Could not push with [removed: a GitHub token].\n');
});
