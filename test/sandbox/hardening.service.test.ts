import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createTestSandboxes, outputOf, runIn } from './test-sandboxes.ts';

const host = createTestSandboxes();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await host.open({
    limits: { fileBytes: 64 * 1024 ** 2, tmpBytes: 16 * 1024 ** 2 },
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

test('the environment of the harness does not reach a command', async () => {
  process.env.LONGHAUL_TEST_SECRET = 'secret';
  expect(await outputOf(sandbox, 'environment', 'env | grep -c SECRET')).toBe('0');
  delete process.env.LONGHAUL_TEST_SECRET;
});

test('programs in folders that an agent writes to are not taken for those of the harness', async () => {
  const programs = 'bash sh stat head tail mv mkdir rm sleep git cat find sha256sum';
  const fake = "printf '#!/bin/sh\\necho longhaul ran exited 0 1 0 0 0\\n' >~/.local/bin/$program";
  const plant = `mkdir -p ~/.local/bin; for program in ${programs}; do ${fake}; chmod +x ~/.local/bin/$program; done`;
  const own = await host.open();
  await runIn(own, 'plant', plant);
  expect(await runIn(own, 'step', 'printf "really\\n"; exit 3')).toMatchObject({
    exitCode: 3,
    output: { text: 'really\n' },
  });
  expect(await own.loadedCommit()).toBeUndefined();
  // Programs that the harness does not use are found on the image's own PATH.
  expect(await outputOf(own, 'theirs', 'command -v git')).toBe('/home/agent/.local/bin/git');
  await host.sandboxes.stop(own.name);
  await host.reopen(own.name);
  expect(await outputOf(own, 'first', 'tr "\\0" " " </proc/1/cmdline')).toMatch(/^bash -c trap/);
});

test('a command cannot change the rest of its script while it runs', async () => {
  const change = 'echo "exit 0" >~/.longhaul/commands/$LONGHAUL_COMMAND/script';
  const script = `${change}\n${'# more than is read of a script at once\n'.repeat(1000)}echo second\nexit 3\n`;
  expect(await runIn(sandbox, 'changes-script', script)).toMatchObject({ exitCode: 3, output: { text: 'second\n' } });
});

test('a command that ended well is known to have by every later attempt, also after a restart', async () => {
  const own = await host.open();
  const first = await runIn(own, 'ends-well', 'echo done');
  expect(first).toMatchObject({ outcome: 'exited', exitCode: 0 });
  await host.sandboxes.stop(own.name);
  expect(await runIn(await host.reopen(own.name), 'ends-well', 'exit 3')).toEqual(first);
});
