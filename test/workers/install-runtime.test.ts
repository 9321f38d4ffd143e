import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { noLog } from '../../domain/telemetry/log.ts';
import { installRuntime } from '../../workers/install-runtime.ts';

test('a port of metrics that another process has is named before the worker starts', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(installRuntime(noLog, { address })).rejects.toMatchObject({
    code: 'InvalidConfiguration',
    message: expect.stringMatching(
      `^Expected to serve metrics at ${address}, but it is not free .*EADDRINUSE.*LONGHAUL_METRICS`,
    ),
  });
  await new Promise((resolve) => server.close(resolve));
});
