import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ExecutionRequest } from '../../../sandbox/sandbox.ts';
import { createTestSandboxes, outputOf, runIn } from '../test-sandboxes.ts';

const host = createTestSandboxes();
let base: string;

beforeAll(async () => {
  const sandbox = await host.open();
  base = sandbox.name;
  await runIn(
    sandbox,
    'prepare',
    `echo kept >kept; echo kept >~/kept; echo left >/tmp/left; cat >attack.py <<'END'
${attack}END`,
  );
  await runIn(
    sandbox,
    'shim',
    'mkdir -p ~/.local/bin; printf "#!/bin/sh\\nexit 0\\n" >~/.local/bin/false; chmod +x ~/.local/bin/false',
  );
  await host.sandboxes.stop(base);
});
afterAll(async () => {
  await host.sandboxes.close(`${base}-fork`);
  await host.closeAll();
});

/** Says which ways there are into the process that started it. */
const attack = `import ctypes, os
ptrace = ctypes.CDLL(None, use_errno=True).ptrace
print('trace', 'open' if ptrace(0x4206, os.getppid(), 0, 0) == 0 else 'shut')
try:
    open(f'/proc/{os.getppid()}/mem', 'r+b')
    print('memory open')
except PermissionError:
    print('memory shut')
`;

async function execute(script: string, more: Partial<ExecutionRequest> = {}) {
  const fork = await host.sandboxes.fork(base, `${base}-fork`);
  const { outcome, exitCode, output } = await fork.execute({ script, timeoutMs: 60_000, ...more });
  return { outcome, exitCode, text: output.text };
}

test('a fork has the files of its sandbox, an empty /tmp, no network and no processes of earlier ones', async () => {
  const leave = 'echo changed | tee kept ~/kept; (sleep 4001 </dev/null >/dev/null 2>&1 &)';
  expect(await execute(leave)).toMatchObject({ exitCode: 0, text: 'changed\n' });
  const look = 'cat kept ~/kept; ls /tmp /sys/class/net; pgrep -f "sleep 400[1]"; pwd';
  expect(await execute(look)).toMatchObject({ text: 'kept\nkept\n/sys/class/net:\nlo\n\n/tmp:\n/workspace\n' });
});

test('nothing that a script starts can trace its shell or write to its memory', async () => {
  // Any other shell is open to it.
  expect(await execute('bash -c "python3 attack.py; true"; python3 attack.py; exit 3')).toEqual({
    outcome: 'exited',
    exitCode: 3,
    text: 'trace open\nmemory open\ntrace shut\nmemory shut\n',
  });
});

test('a script that ends its shell or its container does not pass', async () => {
  expect(await execute('kill -9 $$')).toMatchObject({ exitCode: 137 });
  expect(await execute('(sleep 0.2; exit 0) & kill 1; wait; exit 0')).not.toMatchObject({ exitCode: 0 });
});

test('a script ends although something that it started holds its output, and programs of the image come before those that the work has put into its home', async () => {
  expect(await execute('sleep 4002 & false; echo $?; exit 4')).toEqual({ outcome: 'exited', exitCode: 4, text: '1\n' });
});

test('a script that closes its output is waited for', async () => {
  expect(await execute('echo said; exec >&- 2>&-; sleep 2; exit 4')).toEqual({
    outcome: 'exited',
    exitCode: 4,
    text: 'said\n',
  });
});

test('the middle of a long output is left out, and the script may be long', async () => {
  const { text, exitCode } = await execute(`${'# a comment\n'.repeat(20_000)}seq 100000; cat; exit 5`, {
    input: 'given',
  });
  expect(text).toMatch(/^1\n2\n[\s\S]*bytes omitted[\s\S]*\n100000\ngiven$/);
  expect(exitCode).toBe(5);
});

test('a sandbox that runs is forked too, and does not see what the fork changes', async () => {
  const running = await host.open();
  await running.run({ id: 'before', script: 'echo 1 >a.txt', timeoutMs: 60_000 });
  const fork = await host.sandboxes.fork(running.name, `${running.name}-fork`);
  const inFork = await fork.execute({ script: 'cat a.txt; echo 2 >a.txt', timeoutMs: 60_000 });
  await host.sandboxes.close(`${running.name}-fork`);
  const after = await running.run({ id: 'after', script: 'cat a.txt', timeoutMs: 60_000 });
  expect([inFork.output.text, after.output.text]).toEqual(['1\n', '1\n']);
});

test('a sandbox that is gone is lost', async () => {
  await expect(host.sandboxes.fork('never', 'never-fork')).rejects.toMatchObject({ code: 'SandboxLost' });
});

test('a closed fork leaves no volume', async () => {
  await host.sandboxes.close(`${base}-fork`);
  const { Volumes } = await host.docker.listVolumes({ filters: { label: [`longhaul.name=${base}-fork`] } });
  expect(Volumes ?? []).toEqual([]);
  expect(await outputOf(await host.reopen(base), 'look', 'cat kept')).toBe('kept');
  await host.sandboxes.stop(base);
});
