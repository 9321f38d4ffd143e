import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { identifyProcess } from '../../../../config/process-identity.ts';
import { readAsks, readStateFile } from '../../../../config/stack-record.ts';
import { tryLock } from '../../../../setup/home-lock.ts';
import { SetupError } from '../../../../setup/setup-error.ts';
import { joinStack } from '../../../../setup/stack/join-stack.ts';
import { readStack, writeStateFile } from '../../../../setup/stack/state/stack-state.ts';
import { type Stack, stackLock, supervise } from '../../../../setup/stack/supervisor/supervise.ts';
import { makeHome, recordOf, tinyService, watchEvents } from '../tiny-service.ts';

let place: ReturnType<typeof makeHome>;
let stacks: Stack[];
beforeEach(() => {
  place = makeHome();
  stacks = [];
});
afterEach(async () => {
  for (const stack of stacks) await stack.stop();
  place.remove();
});

async function start(
  services: Parameters<typeof supervise>[0]['services'],
  changes: Partial<Parameters<typeof supervise>[0]> = {},
) {
  const watch = watchEvents();
  const stack = await supervise({ home: place.home, services, elsewhere: {}, onEvent: watch.onEvent, ...changes });
  stacks.push(stack);
  return { stack, ...watch };
}

test('services start after what they need and stop before it', async () => {
  const { stack } = await start([
    tinyService(place.home, 'database', { script: 'const end = Date.now() + 300; while (Date.now() < end);' }),
    tinyService(place.home, 'model'),
    tinyService(place.home, 'worker', { after: ['database', 'model'] }),
  ]);
  expect(place.journal().slice(0, 2).sort()).toEqual(['database up', 'model up']);
  await stack.stop();
  expect(place.journal().slice(2)).toEqual(['worker up', 'worker down', 'model down', 'database down']);
  expect(readStateFile(place.home)).toMatchObject({ status: 'stopped', supervisor: null });
});

test('the record names the model of the running stack only', async () => {
  const asks = { model: 'openai/gpt-5' };
  const { stack } = await start([tinyService(place.home, 'worker')], { asks });
  expect(readAsks(place.home)).toEqual(asks);
  await stack.stop();
  expect(readAsks(place.home)).toBeUndefined();
});

test('a killed service is restarted, and the stack is not ready meanwhile', async () => {
  const { onEvent, until } = watchEvents();
  const statuses: Record<string, string | undefined> = {};
  await start([tinyService(place.home, 'database'), tinyService(place.home, 'worker')], {
    onEvent(event) {
      statuses[event.type] = readStateFile(place.home)?.status;
      onEvent(event);
    },
  });
  const before = recordOf(place.home, 'worker');
  process.kill(before.pid as number, 'SIGKILL');
  await until((event) => event.type === 'service-ready' && event.service === 'worker', 2);
  const after = recordOf(place.home, 'worker');
  expect(after).toMatchObject({ state: 'ready', restarts: 1 });
  expect(statuses).toMatchObject({ 'service-ended': 'starting', 'service-ready': 'ready' });
  expect(after.pid).not.toBe(before.pid);
  expect(recordOf(place.home, 'database').restarts).toBe(0);
});

test('a service that cannot stay up is given up with a reason', async () => {
  const services = [
    tinyService(place.home, 'database'),
    tinyService(place.home, 'worker', { script: 'console.log("no licence"); process.exit(3);' }),
  ];
  const starting = start(services);
  await expect(starting).rejects.toMatchObject({ code: 'ServiceFailed' });
  await expect(starting).rejects.toThrow(/worker ended 3 times .* exit code 3\.[\s\S]*no licence/);
  expect(place.journal()).toEqual(['database up', 'database down']);
  expect(await readStack(place.home)).toMatchObject({
    status: 'failed',
    failure: expect.stringContaining('no licence'),
    services: [{ state: 'stopped' }, { state: 'failed' }],
  });
});

test('a service that fails later ends the stack', async () => {
  const flag = join(place.home, 'journal');
  const { stack, until } = await start([
    tinyService(place.home, 'database'),
    tinyService(place.home, 'worker', {
      script: `if (require('node:fs').readFileSync(${JSON.stringify(flag)}, 'utf8').includes('broken')) process.exit(4);`,
    }),
  ]);
  place.note('broken');
  process.kill(recordOf(place.home, 'worker').pid as number, 'SIGKILL');
  await expect(stack.ended).rejects.toThrow(/worker ended 5 times/);
  await until((event) => event.type === 'stack-stopped');
  expect(recordOf(place.home, 'database').state).toBe('stopped');
});

test('a service that never becomes ready fails with a reason', async () => {
  const service = tinyService(place.home, 'database', {
    readyMs: 100,
    ready: () => Promise.reject(new Error('the gate is shut')),
  });
  await expect(start([service])).rejects.toThrow(/not ready within 0.1 s: the gate is shut/);
});

test('a service that is slow to become ready is given up too', async () => {
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => 200 * now()); // its 0.1 s count as 20 s
  const service = tinyService(place.home, 'database', {
    readyMs: 100,
    ready: () => Promise.reject(new Error('the gate is shut')),
  });
  try {
    await expect(start([service])).rejects.toThrow(/database ended 3 times .* the gate is shut/);
  } finally {
    clock.mockRestore();
  }
}, 15_000);

test('a service with something missing fails at once', async () => {
  const service = tinyService(place.home, 'worker', {
    command: () => Promise.reject(new SetupError('ServiceUnstartable', 'Run npm run build.')),
  });
  const watch = watchEvents();
  await expect(start([service], { onEvent: watch.onEvent })).rejects.toThrow(
    'Could not start worker: Run npm run build.',
  );
  expect(watch.events.filter(({ type }) => type === 'service-ended')).toEqual([]);
});

test('a service that ignores its signal is killed', async () => {
  const stubborn = tinyService(place.home, 'worker', {
    ignoreSignal: true,
    stop: { signal: 'SIGTERM', graceMs: 300 },
  });
  const { stack, events } = await start([tinyService(place.home, 'database'), stubborn]);
  const since = performance.now();
  await stack.stop();
  expect(performance.now() - since).toBeLessThan(30_000);
  expect(events).toContainEqual({ type: 'service-stopped', service: 'worker', killed: true });
  expect(place.journal().at(-1)).toBe('database down');
});

test('a service that may not be signalled does not keep others from stopping', async () => {
  const { stack, events } = await start([tinyService(place.home, 'database'), tinyService(place.home, 'worker')]);
  const worker = recordOf(place.home, 'worker').pid as number;
  const kill = process.kill.bind(process);
  const spy = jest.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (pid === worker) throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    return kill(pid, signal);
  });
  try {
    await stack.stop();
    expect(events).toContainEqual({ type: 'problem', message: 'Could not stop worker: kill EPERM' });
    expect(place.journal().at(-1)).toBe('database down');
    expect(await readStack(place.home)).toMatchObject({ services: [{ state: 'stopped' }, { pid: worker }] });
  } finally {
    spy.mockRestore();
    process.kill(worker, 'SIGKILL');
  }
});

test('stopping during the start stops what has started', async () => {
  const controller = new AbortController();
  const watch = watchEvents();
  const starting = start(
    [
      tinyService(place.home, 'database'),
      tinyService(place.home, 'worker', { script: 'setInterval(() => {}, 1000); return;' }),
    ],
    { signal: controller.signal, onEvent: watch.onEvent },
  );
  starting.catch(() => {}); // looked at below
  await watch.until((event) => event.type === 'service-ready');
  const { pid } = recordOf(place.home, 'worker');
  controller.abort(new Error('changed my mind'));
  await expect(starting).rejects.toThrow('changed my mind');
  expect(identifyProcess(pid as number)).toBeUndefined();
  expect(readStateFile(place.home)?.status).toBe('stopped');
});

test('a second supervisor is refused', async () => {
  await start([tinyService(place.home, 'database')]);
  await expect(start([tinyService(place.home, 'database')])).rejects.toMatchObject({ code: 'StackRunning' });
  expect(place.journal()).toEqual(['database up']);
});

test('a taken port is replaced, and the choice is kept', async () => {
  const taker = createServer().listen(0, '127.0.0.1');
  await once(taker, 'listening');
  const { port: taken } = taker.address() as { port: number };
  const service = tinyService(place.home, 'database', { ports: { port: taken } });
  const first = await start([service]);
  const { port } = recordOf(place.home, 'database').ports;
  expect(first.events).toContainEqual({ type: 'port-taken', service: 'database', port: taken, chosen: port });
  await first.stack.stop();
  await new Promise((resolve) => taker.close(resolve));
  const second = await start([service]);
  expect(recordOf(place.home, 'database').ports).toEqual({ port });
  expect(second.events.filter(({ type }) => type === 'port-taken')).toEqual([]);
});

test('two stacks that start together choose different ports', async () => {
  const service = (home: string) => tinyService(home, 'database', { ports: { port: 54_987 } }); // never listens
  await start([service(place.home)]);
  const { port } = recordOf(place.home, 'database').ports;
  const first = place;
  place = makeHome();
  const second = await start([service(place.home)]);
  expect(second.events).toContainEqual(expect.objectContaining({ type: 'port-taken', service: 'database' }));
  expect(recordOf(place.home, 'database').ports.port).not.toBe(port);
  await stacks[0]?.stop();
  first.remove();
});

test('services of a killed supervisor are stopped first', async () => {
  const { stack } = await start([tinyService(place.home, 'database'), tinyService(place.home, 'worker')]);
  // As a SIGKILL leaves it: the services run, their supervisor is another process that is gone, nobody holds the lock.
  const left = readStateFile(place.home);
  if (left === undefined) throw new Error('Expected the state of the stack that was just started.');
  const { home } = place;
  place = makeHome();
  writeStateFile(place.home, { ...left, supervisor: { pid: 2 ** 22 + 1, startMark: 'gone' } });
  expect(await readStack(place.home)).toMatchObject({ status: 'left-over', supervisor: null });
  const { events } = await start([tinyService(place.home, 'database')]);
  const pids = left.services.map(({ pid }) => pid);
  expect(events.slice(0, 2)).toEqual([
    { type: 'leftover-stopped', service: 'worker', pid: pids[1] },
    { type: 'leftover-stopped', service: 'database', pid: pids[0] },
  ]);
  await stack.stop();
  rmSync(home, { recursive: true });
});

test('stack.json has no database password', async () => {
  const { stack } = await start([
    tinyService(place.home, 'database', {
      ready: async () => ({ url: null, addresses: { database: 'postgres://longhaul:secret@127.0.0.1:1/longhaul' } }),
    }),
  ]);
  expect(stack.addresses.database).toContain('secret');
  const text = readFileSync(join(place.home, 'stack.json'), 'utf8');
  expect(text).toContain('postgres://longhaul@127.0.0.1:1/longhaul');
  expect(text).not.toContain('secret');
});

test('stopping waits for the clean-up after the worker', async () => {
  const { stack } = await start([tinyService(place.home, 'database'), tinyService(place.home, 'worker')], {
    async cleanUp() {
      place.note('cleaning');
      await new Promise((resolve) => setTimeout(resolve, 300));
      place.note('clean');
    },
  });
  await stack.stop();
  const journal = place.journal();
  expect(journal.indexOf('cleaning')).toBeGreaterThan(journal.indexOf('worker down'));
  expect(journal).toContain('clean');
});

test('a hanging container host does not hold up the stop, and a second Ctrl-C ends it', async () => {
  const cleanUp = () => new Promise<void>(() => {});
  const problem = { type: 'problem', message: 'Docker did not answer in time; sandboxes may still run.' };
  const first = await start([tinyService(place.home, 'worker')], { cleanUp, stopMs: 300 });
  await first.stack.stop();
  expect(first.events.slice(-2)).toEqual([problem, expect.objectContaining({ type: 'stack-stopped' })]);
  const second = await start([tinyService(place.home, 'worker')], { cleanUp, stopMs: 2 ** 30 });
  const stopping = second.stack.stop();
  await second.until((event) => event.type === 'service-stopped');
  second.stack.kill();
  await stopping;
  expect(second.events).toContainEqual(problem);
  expect(readStateFile(place.home)?.status).toBe('stopped');
});

test("readStack ignores a process that merely got a service's pid", async () => {
  const { stack } = await start([tinyService(place.home, 'database')]);
  await stack.stop();
  const state = readStateFile(place.home);
  if (state === undefined) throw new Error('Expected the state of the stack that was just stopped.');
  const services = state.services.map((service) => ({ ...service, pid: process.pid, startMark: 'earlier' }));
  writeStateFile(place.home, { ...state, status: 'ready', services });
  expect(await readStack(place.home)).toMatchObject({
    status: 'stopped',
    services: [{ pid: null, memoryBytes: null }],
  });
});

test('the record of a killed stack is not taken for the new one', async () => {
  const { stack } = await start([tinyService(place.home, 'worker')]);
  await stack.stop();
  const left = readStateFile(place.home);
  if (!left) throw new Error('Expected the stack to leave its state.');
  const dead = { pid: 2 ** 30, startMark: 'killed' };
  writeStateFile(place.home, { ...left, status: 'ready', supervisor: dead, addresses: { temporal: 'of before' } });
  const lock = tryLock(stackLock(place.home));
  if ('heldBy' in lock) throw new Error('Expected nobody to hold the lock.');
  const { signal } = new AbortController();
  let joined = false;
  const joining = joinStack({ home: place.home, onEvent: () => {}, signal }).finally(() => {
    joined = true;
  });
  await sleep(500);
  expect(joined).toBe(false);
  const supervisor = identifyProcess(process.pid) ?? null;
  writeStateFile(place.home, { ...left, status: 'ready', supervisor, addresses: { temporal: 'of now' } });
  expect(await joining).toMatchObject({ addresses: { temporal: 'of now' } });
  lock.release();
});
