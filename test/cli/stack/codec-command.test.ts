import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import getPort from 'get-port';
import { runCli } from '../run.ts';

test('without keys there is nothing to decrypt', async () => {
  const environment = { LONGHAUL_HOME: '/nowhere/longhaul' };
  expect(await runCli(['codec'], { environment })).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Expected LONGHAUL_PAYLOAD_KEYS/),
  });
});

test('a port that is in use is named, with what to do', async () => {
  const port = await getPort();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  const environment = {
    LONGHAUL_HOME: '/nowhere/longhaul',
    LONGHAUL_PAYLOAD_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  };
  const ended = await runCli(['codec', '--port', String(port)], { environment });
  await new Promise((resolve) => other.close(resolve));
  expect(ended).toMatchObject({ exitCode: 2, stderr: `Port ${port} is in use. Choose another with --port.\n` });
});
