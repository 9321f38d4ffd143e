import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createTestSandboxes, outputOf, runIn } from './test-sandboxes.ts';

const host = createTestSandboxes();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await host.open({
    limits: { processes: 64, memoryBytes: 256 * 1024 ** 2, fileBytes: 64 * 1024 ** 2, tmpBytes: 16 * 1024 ** 2 },
  });
});
afterAll(() => host.closeAll());

test('a command has no capability, cannot gain any, is filtered by seccomp and is not root', async () => {
  const status = await outputOf(sandbox, 'status', 'id -u; grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status');
  expect(status.split('\n').map((line) => line.replace(/\s+/g, ' '))).toEqual([
    '1000',
    'CapInh: 0000000000000000',
    'CapPrm: 0000000000000000',
    'CapEff: 0000000000000000',
    'CapBnd: 0000000000000000',
    'CapAmb: 0000000000000000',
    'NoNewPrivs: 1',
    'Seccomp: 2',
  ]);
});

test('the root file system is read-only; workspace, home and /tmp are not, and /tmp runs programs', async () => {
  const script = `for folder in / /etc /usr /var/tmp /run; do if touch $folder/x 2>/dev/null; then echo "wrote to $folder"; fi; done
    touch /workspace/x ~/x && printf '#!/bin/sh\\necho ran' >/tmp/x && chmod +x /tmp/x && /tmp/x`;
  expect(await outputOf(sandbox, 'write', script)).toBe('ran');
});

test('the container socket of the host is not there', async () => {
  expect(await outputOf(sandbox, 'socket', 'ls /var/run/docker.sock /run/docker.sock 2>&1 | grep -vc "No such"')).toBe(
    '0',
  );
});

test("a command has the sandbox's limits on open files, core dumps and writes", async () => {
  const script =
    'ulimit -n; ulimit -c; ulimit -f; df --output=size -B1 /tmp | tail -1; head -c 70000000 /dev/zero >/workspace/large; echo $?; stat -c %s /workspace/large';
  const lines = (await outputOf(sandbox, 'limits', script)).split('\n').map((line) => line.trim());
  expect(lines.slice(0, 4)).toEqual(['16384', '0', '65536', '16777216']);
  expect(lines.slice(-2)).toEqual(['153', '67108864']);
});

test('more processes than allowed are refused', async () => {
  const result = await runIn(sandbox, 'many', 'for i in $(seq 100); do sleep 60 & done; echo unreachable', {
    timeoutMs: 5_000,
  });
  expect(result.output.text).toMatch(/Resource temporarily unavailable/);
  expect(await runIn(sandbox, 'after', 'echo alive')).toMatchObject({ output: { text: 'alive\n' } });
});

test('a command that takes all memory is killed and leaves its sandbox usable', async () => {
  const result = await runIn(sandbox, 'memory', 'head -c 1G /dev/zero | tail');
  expect(result.outcome).toBe('exited');
  expect(result.exitCode).not.toBe(0);
  expect(await runIn(sandbox, 'after-memory', 'echo alive')).toMatchObject({ output: { text: 'alive\n' } });
});

test('the environment of the harness does not reach a command', async () => {
  process.env.LONGHAUL_TEST_SECRET = 'secret';
  expect(await outputOf(sandbox, 'environment', 'env | grep -c SECRET')).toBe('0');
  delete process.env.LONGHAUL_TEST_SECRET;
});
