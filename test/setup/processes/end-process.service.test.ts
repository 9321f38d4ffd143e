import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, jest, test } from '@jest/globals';
import { identifyProcess, isRunning, type ProcessIdentity } from '../../../config/process-identity.ts';
import { endProcess } from '../../../setup/processes/end-process.ts';
import { memoryOf } from '../../../setup/processes/process-memory.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Runs a script in a process group of its own and waits until it has printed something. */
async function start(script: string): Promise<{ child: ChildProcess; identity: ProcessIdentity; said: string }> {
  const child = spawn(process.execPath, ['-e', script], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  const identity = identifyProcess(child.pid as number);
  if (identity === undefined) throw new Error('Expected the process that was just started to run.');
  return { child, identity, said: String(said).trim() };
}

test('a process that ends at the signal is not killed', async () => {
  const { identity } = await start('console.log("up"); setInterval(() => {}, 1000)');
  expect(await endProcess(identity, { signal: 'SIGTERM', graceMs: 60_000 })).toBe('ended');
  expect(isRunning(identity)).toBe(false);
});

test('a process that ignores the signal is killed', async () => {
  const { identity } = await start('process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)');
  const since = performance.now();
  expect(await endProcess(identity, { signal: 'SIGTERM', graceMs: 200 })).toBe('killed');
  expect(performance.now() - since).toBeLessThan(30_000);
  expect(isRunning(identity)).toBe(false);
});

test('children of an ended process end', async () => {
  const { identity, said } = await start(
    `const child = require('node:child_process').spawn('sleep', ['1000']);
     console.log(child.pid); process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1000)`,
  );
  const child = identifyProcess(Number(said)) as ProcessIdentity;
  await endProcess(identity, { signal: 'SIGTERM', graceMs: 60_000 });
  await waitFor('its child to end', () => !isRunning(child));
});

test('a group with only a zombie is no error on macOS', async () => {
  const { identity } = await start('console.log("up"); setInterval(() => {}, 1000)');
  const kill = process.kill.bind(process);
  const spy = jest.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (pid < 0) throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    return kill(pid, signal);
  });
  try {
    expect(await endProcess(identity, { signal: 'SIGTERM', graceMs: 60_000 })).toBe('ended');
  } finally {
    spy.mockRestore();
  }
});

test('a process that merely got the same pid is left alone', async () => {
  const { child, identity } = await start('console.log("up"); setInterval(() => {}, 1000)');
  const earlier = { ...identity, startMark: 'of an earlier process' };
  expect(await endProcess(earlier, { signal: 'SIGKILL', graceMs: 0 })).toBe('gone');
  expect(isRunning(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('an unused pid is no error', () => {
  expect(identifyProcess(2 ** 22 + 1)).toBeUndefined();
});

test('the memory of a service includes its children', async () => {
  const { child, identity } = await start(
    `const script = 'const hold = Buffer.alloc(80e6, 1); console.log("up"); setInterval(() => hold, 1000)';
     require('node:child_process').spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit'] });
     setInterval(() => {}, 1000)`,
  );
  const memory = await memoryOf([identity.pid]);
  expect(memory.get(identity.pid)).toBeGreaterThan(120e6);
  await endProcess(identity, { signal: 'SIGKILL', graceMs: 0 });
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
});
