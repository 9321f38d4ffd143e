import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { createTestSandboxes, outputOf, runIn, waitFor } from '../../test-sandboxes.ts';

const host = createTestSandboxes();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await host.open();
});
afterAll(() => host.closeAll());

/** The arguments of every process except the harness's own. */
async function processes(id: string): Promise<string> {
  return outputOf(
    sandbox,
    id,
    'for f in /proc/[0-9]*/cmdline; do tr "\\0" " " <$f 2>/dev/null; echo; done | grep -v -e longhaul -e "^$"',
  );
}

test('exit code, both outputs, folder, environment and input reach the command and come back', async () => {
  await runIn(sandbox, 'folder', 'mkdir -p "a folder"');
  const result = await runIn(sandbox, 'basics', 'pwd; echo "$GREETING"; cat; echo wrong >&2; exit 7', {
    folder: 'a folder',
    environment: { GREETING: 'hello "world"' },
    input: 'input\nof two lines\n',
  });
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 7 });
  expect(result.output).toEqual({
    text: '/workspace/a folder\nhello "world"\ninput\nof two lines\nwrong\n',
    totalBytes: 59,
    truncated: false,
  });
});

test('a script and an input of megabytes arrive whole', async () => {
  const script = `: '${'x'.repeat(1_000_000)}'\nwc -c`;
  const result = await runIn(sandbox, 'large', script, { input: 'é'.repeat(2_000_000) });
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, output: { text: '4000000\n' } });
});

test('two callers with the same id at the same time run it once and both get its result', async () => {
  const script = 'echo ran >>races; sleep 0.4; echo done';
  const results = await Promise.all([1, 2, 3].map(() => runIn(sandbox, 'race', script)));
  for (const result of results)
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, output: { text: 'done\n' } });
  expect(await outputOf(sandbox, 'race-look', 'wc -l <races')).toBe('1');
});

test('an id that would name another folder is refused', async () => {
  await expect(runIn(sandbox, '../escape', 'true')).rejects.toThrow(RangeError);
  await expect(runIn(sandbox, '..', 'true')).rejects.toThrow('Expected a command id');
});

test('100 MB of output come back as head and tail, with the full log kept', async () => {
  const result = await runIn(sandbox, 'flood', 'echo first; yes é | head -c 99999988; echo; echo last');
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, output: { truncated: true } });
  expect(result.output.totalBytes).toBe(100_000_000);
  expect(Buffer.byteLength(result.output.text)).toBeLessThan(33 * 1024);
  expect(result.output.text).toMatch(/^first\né\n/);
  expect(result.output.text).toMatch(/\nlast\n$/);
  expect(result.output.text).toMatch(/\n\[\.\.\. \d+ bytes omitted \.\.\.\]\n/);
  const log = await sandbox.readLog('flood');
  expect((await buffer(log?.bytes as never)).length).toBe(100_000_000);
});

test('output that is not text comes back as text that a database takes, and as bytes in the log', async () => {
  const result = await runIn(sandbox, 'bytes', "printf 'a\\0b\\377c'");
  expect(result.output).toEqual({ text: 'a\uFFFDb\uFFFDc', totalBytes: 5, truncated: false });
  expect(await buffer((await sandbox.readLog('bytes'))?.bytes as never)).toEqual(Buffer.from([97, 0, 98, 255, 99]));
});

test('a command that never ends is killed with every process, also those that left its session and cleared their environment', async () => {
  const script =
    'setsid sleep 4001 & (setsid nohup sleep 4002 &); (env -i setsid sleep 4003 &); trap "" TERM; echo begun; sleep 4004';
  const result = await runIn(sandbox, 'endless', script, { timeoutMs: 3_000 });
  expect(result).toMatchObject({ outcome: 'timed-out', exitCode: null, output: { text: 'begun\n' } });
  expect(result.durationMs).toBeGreaterThanOrEqual(3_000);
  expect(result.durationMs).toBeLessThan(30_000);
  expect(await processes('endless-look')).not.toMatch(/sleep 400/);
});

test('a command that stops itself is ended by its time limit', async () => {
  const result = await runIn(sandbox, 'stopped', 'kill -STOP $$', { timeoutMs: 500 });
  expect(result).toMatchObject({ outcome: 'timed-out' });
});

test('a background process lives on after its command, does not hold it up, and a later time-out spares it', async () => {
  const result = await runIn(sandbox, 'server', 'sleep 5001 & echo started');
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, output: { text: 'started\n' } });
  await runIn(sandbox, 'other', 'sleep 5002', { timeoutMs: 300 });
  const left = await processes('server-look');
  expect(left).toMatch('sleep 5001');
  expect(left).not.toMatch('sleep 5002');
});

test('a command that kills its own shell has exit code 137', async () => {
  expect(await runIn(sandbox, 'kills-shell', 'echo before; kill -9 $$')).toMatchObject({
    outcome: 'exited',
    exitCode: 137,
    output: { text: 'before\n' },
  });
  expect(await runIn(sandbox, 'kills-group', 'kill -9 0')).toMatchObject({ outcome: 'exited', exitCode: 137 });
});

test('a command that kills everything in the sandbox, its keeper too, has a result that stays', async () => {
  const first = await runIn(sandbox, 'kills-all', 'echo before; kill -9 -1; sleep 4030');
  expect(first).toMatchObject({ outcome: 'exited', exitCode: 137, output: { text: 'before\n' } });
  expect(await runIn(sandbox, 'kills-all', 'echo again')).toEqual(first);
  expect(await processes('kills-all-look')).not.toMatch('sleep 4030');
});

test('a command that kills every sleep does not lose its time limit', async () => {
  const result = await runIn(sandbox, 'kills-sleeps', 'pkill -9 sleep; sleep 4010', { timeoutMs: 800 });
  expect(result).toMatchObject({ outcome: 'timed-out' });
  expect(await outputOf(sandbox, 'kills-sleeps-look', 'pgrep -f "sleep 4010" || echo none')).toBe('none');
});

test('cancelling kills the process tree', async () => {
  const cancel = new AbortController();
  const running = runIn(sandbox, 'cancelled', 'setsid sleep 4020 & sleep 4021', { cancel: cancel.signal });
  await waitFor(async () => (await processes(`cancel-look-${Date.now()}`)).includes('sleep 4020'));
  cancel.abort();
  expect(await running).toMatchObject({ outcome: 'cancelled', exitCode: null });
  expect(await processes('cancelled-look')).not.toMatch(/sleep 402/);
  expect(await runIn(sandbox, 'cancelled', 'true')).toMatchObject({ outcome: 'cancelled' });
});

test('a command that ended before it was cancelled keeps its result', async () => {
  await runIn(sandbox, 'ended', 'exit 3');
  expect(await runIn(sandbox, 'ended', 'true', { cancel: AbortSignal.abort() })).toMatchObject({
    outcome: 'exited',
    exitCode: 3,
  });
});

test('orphans are reaped', async () => {
  await runIn(sandbox, 'orphans', 'for i in 1 2 3 4 5; do (sleep 0.05 &) ; done; sleep 0.3');
  // A command that has just ended is a zombie until Docker reaps it, so one look is not enough.
  const zombies = 'grep -l "^State:.Z" /proc/[0-9]*/status 2>/dev/null | wc -l';
  await waitFor(async () => (await outputOf(sandbox, `orphans-look-${Date.now()}`, zombies)) === '0');
});
