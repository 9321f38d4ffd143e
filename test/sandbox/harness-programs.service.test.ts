import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createTestSandboxes, outputOf, runIn } from './test-sandboxes.ts';

const host = createTestSandboxes();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await host.open();
});
afterAll(() => host.closeAll());

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
