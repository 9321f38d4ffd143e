import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createTestSandboxes, outputOf, runIn } from './test-sandboxes.ts';

const host = createTestSandboxes();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await host.open();
});
afterAll(() => host.closeAll());

/** Writes the records of a command as `run.sh` leaves them for a success. */
const forged = (folder: string) =>
  `mkdir -p ${folder}; echo "1 1 x:1 1" >${folder}/keeper; echo "exited 0 5" >${folder}/result; echo passed >${folder}/output`;

test('a result that was put under the id of a command to come is not taken for it', async () => {
  await runIn(sandbox, 'set-up', forged('~/.longhaul/commands/step.0'));
  expect(await runIn(sandbox, 'step.0', 'echo really; exit 3')).toMatchObject({
    outcome: 'exited',
    exitCode: 3,
    output: { text: 'really\n' },
  });
});

test('the id of a command cannot be had from that of another', async () => {
  const name = (id: string) => outputOf(sandbox, id, 'echo $LONGHAUL_COMMAND');
  const [first = '', second = ''] = [await name('name.1'), await name('name.2')];
  expect(first).toMatch(/^name\.1\.[0-9a-f]{16}$/);
  expect(second.slice('name.2.'.length)).not.toBe(first.slice('name.1.'.length));
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
  await own.restartOnce();
  expect(await outputOf(own, 'first', 'tr "\\0" " " </proc/1/cmdline')).toMatch(/^bash -c trap/);
});

test('a command that ends its keeper and writes its own result does not have exit code 0', async () => {
  const script = `record=~/.longhaul/commands/$LONGHAUL_COMMAND; echo wrong
    printf 'exited 0 5' 1<>$record/result; kill -9 $PPID; exit 1`;
  const result = await runIn(sandbox, 'writes-result', script);
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 137 });
  expect(result.output.text).toMatch(/^wrong\n\[The exit code was written by something in the sandbox/);
  expect(await runIn(sandbox, 'writes-result', script)).toEqual(result);
});

test('a command that answers in the place of its keeper has the exit code that it had', async () => {
  const answer = (role: string) => `echo longhaul ${role} exited 0 5 0 0 0 >/proc/$PPID/fd/1; echo wrong; exit 3`;
  for (const role of ['ran', 'attached']) {
    const result = await runIn(sandbox, `answers-${role}`, answer(role));
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 3 });
  }
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

test('what runs in a sandbox is ended by a restart, once, and its network stays away', async () => {
  const own = await host.open();
  await own.disconnect();
  await runIn(own, 'leaves', 'echo kept >~/kept; (trap "" TERM; sleep 4001) & echo left');
  await own.restartOnce();
  expect(await outputOf(own, 'look', 'pgrep -f "sleep 400[1]"; cat ~/kept; ls /sys/class/net')).toBe('kept\nlo');
  await runIn(own, 'server', 'sleep 4002 & echo left');
  await own.restartOnce();
  expect(await outputOf(own, 'look-again', 'pgrep -fc "sleep 400[2]"')).toBe('1');
});
