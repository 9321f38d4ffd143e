import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { connectDocker } from '../../sandbox/docker/host/connect-docker.ts';
import { createTestSandboxes, outputOf, runIn, waitFor } from './test-sandboxes.ts';

const host = createTestSandboxes();
afterAll(() => host.closeAll());

/** A proxy to the real container host whose connections can be cut, as the death of the daemon would. */
async function createCuttableHost() {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-test-host-'));
  const path = join(folder, 'docker.sock');
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const daemon = connect('/var/run/docker.sock');
    for (const socket of [client, daemon]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(daemon).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    sandboxes: createSandboxes({ docker: connectDocker(`unix://${path}`), stack: host.stack }),
    async cut(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test.each(['unix:///nonexistent/docker.sock', 'tcp://127.0.0.1:1'])(
  'a container host that is not there (%s) is named, with what to do',
  async (address) => {
    const sandboxes = createSandboxes({ docker: connectDocker(address) });
    for (const call of [
      () => sandboxes.list(),
      () => sandboxes.find('x'),
      () => sandboxes.close('x'),
      async () => sandboxes.open(host.spec()),
    ]) {
      await expect(call()).rejects.toMatchObject({
        code: 'HostUnavailable',
        message: expect.stringContaining('Start the Docker daemon'),
      });
    }
  },
);

test('a container host that dies under a command is named, and the command is found again with its whole output', async () => {
  const cuttable = await createCuttableHost();
  const spec = host.spec();
  const sandbox = await cuttable.sandboxes.open(spec);
  const direct = await host.sandboxes.open(spec);
  const script = 'echo ran >>runs; echo begun; while [ ! -e go ]; do sleep 0.05; done; echo ended';
  const running = runIn(sandbox, 'work', script);
  const died = expect(running).rejects.toMatchObject({ code: 'HostUnavailable' });
  await waitFor(async () => (await outputOf(direct, `look-${Date.now()}`, 'cat runs 2>&1')) === 'ran');
  await cuttable.cut();
  await died;
  await expect(runIn(sandbox, 'other', 'true')).rejects.toMatchObject({ code: 'HostUnavailable' });
  await runIn(direct, 'go', 'touch go');
  expect(await runIn(direct, 'work', script)).toMatchObject({
    outcome: 'exited',
    exitCode: 0,
    output: { text: 'begun\nended\n' },
  });
  expect(await outputOf(direct, 'count', 'wc -l <runs')).toBe('1');
});

test('an image that is not there is named, with what to do', async () => {
  await expect(host.open({ image: 'longhaul-no-such-image:1' })).rejects.toMatchObject({
    code: 'ImageMissing',
    message: expect.stringContaining('SANDBOX_IMAGE'),
  });
});

test('a sandbox removed by somebody else is lost by name', async () => {
  const sandbox = await host.open();
  await host.sandboxes.close(sandbox.name);
  await expect(runIn(sandbox, 'work', 'true')).rejects.toMatchObject({ code: 'SandboxLost' });
  await expect(sandbox.snapshot('0'.repeat(40))).rejects.toMatchObject({ code: 'SandboxLost' });
  expect(await host.sandboxes.find(sandbox.name)).toBeUndefined();
});

test('a command outlives the worker that is killed while it runs, is not run again, and gives its whole output to the next', async () => {
  const spec = host.spec();
  const sandbox = await host.sandboxes.open(spec);
  const script = 'echo ran >>runs; for i in $(seq 200); do echo "line $i"; [ -e go ] || sleep 0.02; done; echo ended';
  const loader = fileURLToPath(new URL('./typescript-loader.mjs', import.meta.url));
  const worker = spawn(
    process.execPath,
    [
      '--import',
      loader,
      fileURLToPath(new URL('./worker-to-kill.ts', import.meta.url)),
      JSON.stringify({ spec, script }),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await waitFor(async () => (await outputOf(sandbox, `look-${Date.now()}`, 'cat runs 2>&1')) === 'ran');
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  await runIn(sandbox, 'go', 'touch go');
  const result = await runIn(sandbox, 'work', script);
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
  expect(result.output.text).toBe(
    `${Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join('')}ended\n`,
  );
  expect(await outputOf(sandbox, 'count', 'wc -l <runs')).toBe('1');
});
