import { expect, test } from '@jest/globals';
import { runCli } from '../run.ts';

test('without keys there is nothing to decrypt', async () => {
  const environment = { LONGHAUL_HOME: '/nowhere/longhaul' };
  expect(await runCli(['codec'], { environment })).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Expected LONGHAUL_PAYLOAD_KEYS/),
  });
});
