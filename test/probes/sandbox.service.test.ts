import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shownBytes } from '../../sandbox/command-report.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createTestSandboxes, runIn, testImage } from '../sandbox/test-sandboxes.ts';
import { bridgeAddress } from '../support/servers/bridge-address.ts';
import { docker as dockerBeside } from '../support/work/sandboxes-of.ts';
import { controls, escapes } from './container/escape.ts';
import { allowed, type Exhaustion, exhaust, limits } from './container/exhaust.ts';
import { leak } from './container/leak.ts';
import { reach, reachControl } from './container/reach.ts';
import { runProbes, type Surroundings, successes } from './run-probes.ts';

const host = createTestSandboxes();
const canary = () => `canary-${randomBytes(16).toString('hex')}`;
/** The host's: in its environment, in a file, and what its server answers. */
const secret = canary();
const neighbour = `longhaul-test-neighbour-${host.stack}`;
const docker = (...parameters: string[]) => execFileSync('docker', parameters, { encoding: 'utf8' }).trim();
/** The container host's address on Docker's bridge, which only it and its containers reach. */
const bridge = bridgeAddress();
const server = createServer((_request, response) => response.end(secret));
let surroundings: Surroundings;
let folder: string;
/** By their policies. */
let sandboxes: Record<'none' | 'packages' | 'all' | 'named', Sandbox>;
let limited: Sandbox[];

beforeAll(async () => {
  process.env.LONGHAUL_TEST_CANARY = secret;
  await once(server.listen(0, bridge), 'listening');
  folder = await mkdtemp(join(tmpdir(), 'longhaul-test-probes-'));
  const file = join(folder, 'secret');
  await writeFile(file, secret, { mode: 0o644 });
  const serve = `echo ${canary()} >/tmp/index.html; exec python3 -m http.server 8000 --directory /tmp`;
  docker('run', '-d', '--name', neighbour, testImage, 'bash', '-c', serve);
  surroundings = {
    HOST_FILE: file,
    HOST_IP: bridge,
    PORT: String((server.address() as AddressInfo).port),
    NEIGHBOUR: docker('inspect', '-f', '{{.NetworkSettings.IPAddress}}', neighbour),
  };
  const [none, packages, all, named] = await Promise.all([
    host.open({ network: 'none' }),
    host.open({ network: 'packages' }),
    host.open({ network: 'all' }),
    host.open({ network: [`${surroundings.NEIGHBOUR}:8000`] }),
  ]);
  sandboxes = { none, packages, all, named };
  limited = await Promise.all([1, 2, 3].map(() => host.open({ limits })));
  const hide = `echo ${canary()} | tee other /tmp/other /dev/shm/other ~/other; export OTHER=${canary()}; setsid -f sleep 600 >/dev/null`;
  await runIn(none, 'hide', hide);
});
afterAll(async () => {
  delete process.env.LONGHAUL_TEST_CANARY;
  server.close();
  docker('rm', '-f', neighbour);
  await host.closeAll();
  await rm(folder, { recursive: true, force: true });
});

test('a success would be seen: of a file, a write, a system call and a connection', async () => {
  await runIn(sandboxes.named, 'own', `echo ${canary()} >own`);
  const outcomes = await runProbes(sandboxes.named, [...controls, ...reachControl], surroundings);
  await runIn(sandboxes.named, 'own-removed', 'rm own');
  expect(outcomes.filter(({ succeeded }) => !succeeded)).toEqual([]);
  const url = `http://${surroundings.HOST_IP}:${surroundings.PORT}/`;
  // A container on Docker's bridge does reach the host.
  // While it does, this process has to answer.
  expect(await dockerBeside(undefined, 'exec', neighbour, 'curl', '-s', url)).toBe(secret);
});

test('nothing in a sandbox reads or changes the host, or gains a right', async () => {
  expect(successes(await runProbes(sandboxes.packages, escapes, surroundings))).toEqual([]);
});

test('nothing in a sandbox reads a secret of the harness, the host or another sandbox', async () => {
  const { Labels } = (await host.container(sandboxes.packages.name).inspect()).Config;
  const gateway = Labels['longhaul.via-gateway'] ?? '';
  const key = docker('volume', 'inspect', '-f', '{{index .Labels "longhaul.gateway-key"}}', gateway);
  // Ids of images have the form of a key, and are none.
  const isSecret = (found: string) => found.startsWith('canary') || found === key;
  expect(key).toHaveLength(64);
  expect(successes(await runProbes(sandboxes.packages, leak, surroundings, isSecret))).toEqual([]);
});

test('a sandbox reaches neither host, neighbours nor metadata, and what its policy names is no way to them', async () => {
  const { none, packages, all, named } = sandboxes;
  const closed = [none, packages, all].map((sandbox) => runProbes(sandbox, reach, surroundings));
  const outcomes = await runProbes(named, reach, surroundings);
  expect((await Promise.all(closed)).flatMap(successes)).toEqual([]);
  expect(outcomes.filter(({ found }) => found.includes(secret))).toEqual([]);
});

let commands = 0;

/** Why each of them counts as a success; several sandboxes work in parallel, each at one after the other. */
async function findSuccesses(all: readonly Exhaustion[]): Promise<string[]> {
  const left = [...all];
  const found: string[] = [];
  const lanes = limited.map(async (sandbox) => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { name, script, timeoutMs = 10_000 } = next;
      commands += 1;
      const id = commands;
      const result = await runIn(sandbox, `exhaust-${id}`, script, { timeoutMs });
      if (result.exitCode === 0) found.push(`${name}: exit code 0`);
      if (result.output.text.length > shownBytes.head + shownBytes.tail + 200) found.push(`${name}: too much output`);
      if (result.durationMs > timeoutMs + 60_000) found.push(`${name}: took ${result.durationMs} ms`);
      const after = 'pgrep -f "^sleep 987|kworker" && echo left; rm -rf /tmp/* /dev/shm/*; echo alive';
      const alive = await runIn(sandbox, `after-${id}`, after, { timeoutMs: 60_000 });
      if (alive.output.text !== 'alive\n') found.push(`${name}: afterwards ${alive.outcome}, ${alive.output.text}`);
    }
  });
  await Promise.all(lanes);
  return found;
}

test('what fits is allowed', async () => {
  expect((await findSuccesses(allowed)).sort()).toEqual(allowed.map(({ name }) => `${name}: exit code 0`).sort());
});

test('nothing takes more than its share, outlives its time or leaves its sandbox useless', async () => {
  expect(await findSuccesses(exhaust)).toEqual([]);
});
