import { expect, test } from '@jest/globals';
import Docker from 'dockerode';
import { pullImage } from '../../../sandbox/image/pull-image.ts';

test('a registry that is not there fails at once, with the reason', async () => {
  const began = Date.now();
  await expect(pullImage({ docker: new Docker(), image: '127.0.0.1:1/longhaul/nothing:1' })).rejects.toThrow(
    /connection refused/,
  );
  expect(Date.now() - began).toBeLessThan(60_000);
});

test('an aborted pull ends with the reason of the abort', async () => {
  const signal = AbortSignal.abort(new Error('interrupted'));
  await expect(pullImage({ docker: new Docker(), image: '127.0.0.1:1/longhaul/nothing:1', signal })).rejects.toThrow(
    'interrupted',
  );
});
