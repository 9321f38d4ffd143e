import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSandboxes } from '../../../../sandbox/docker/create-sandboxes.ts';
import { checkIsolation, readIsolation } from '../../../../sandbox/docker/host/isolation.ts';
import { createTestSandboxes, outputOf } from '../../test-sandboxes.ts';

const host = createTestSandboxes();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-isolation-'));
});
afterAll(async () => {
  await host.closeAll();
  await rm(folder, { recursive: true });
});

/** Refuses what only it refuses, so that it can be told from the daemon's own. */
const profile = {
  defaultAction: 'SCMP_ACT_ALLOW',
  syscalls: [{ names: ['symlink', 'symlinkat'], action: 'SCMP_ACT_ERRNO', errnoRet: 1 }],
};

test('a seccomp profile that the settings name holds in sandboxes and in their forks', async () => {
  const seccomp = join(folder, 'profile.json');
  await writeFile(seccomp, JSON.stringify(profile));
  const isolation = await readIsolation({ seccomp });
  const sandboxes = createSandboxes({ docker: host.docker, stack: host.stack, isolation });
  const spec = host.spec();
  const sandbox = await sandboxes.open(spec);
  expect(await outputOf(sandbox, 'link', 'ln -s a b 2>&1')).toContain('Operation not permitted');
  await sandboxes.stop(spec.name);
  const fork = await sandboxes.fork(spec.name, `${spec.name}-fork`);
  const result = await fork.execute({ script: 'ln -s a b', timeoutMs: 30_000 });
  expect(result.output.text).toContain('Operation not permitted');
  await sandboxes.close(fork.name);
});

test('a profile that is missing or broken is an error before any sandbox opens', async () => {
  const broken = join(folder, 'broken.json');
  await writeFile(broken, '{');
  for (const seccomp of [broken, join(folder, 'none.json')])
    await expect(readIsolation({ seccomp })).rejects.toMatchObject({ code: 'SeccompUnreadable' });
});

test('a runtime that the daemon does not know is an error at start-up, with those that it knows', async () => {
  await expect(checkIsolation(host.docker, { runtime: 'none-such' })).rejects.toMatchObject({
    code: 'RuntimeMissing',
    message: expect.stringMatching(/Expected the runtime "none-such" .* which has .*runc/),
  });
  const sandboxes = createSandboxes({ docker: host.docker, stack: host.stack, isolation: { runtime: 'none-such' } });
  await expect(sandboxes.open(host.spec())).rejects.toMatchObject({ code: 'RuntimeMissing' });
  const known = createSandboxes({ docker: host.docker, stack: host.stack, isolation: { runtime: 'runc' } });
  const spec = host.spec();
  await known.open(spec);
  expect((await host.container(spec.name).inspect()).HostConfig.Runtime).toBe('runc');
});

test('a sandbox sees no control groups but its own', async () => {
  const sandbox = await host.open();
  const { CgroupnsMode } = (await host.container(sandbox.name).inspect()).HostConfig as { CgroupnsMode?: string };
  expect(CgroupnsMode).toBe('private');
  expect(await outputOf(sandbox, 'groups', 'cut -d: -f3 /proc/self/cgroup | sort -u')).toBe('/');
});

const info = (SecurityOptions: string[], OperatingSystem = 'Debian') =>
  ({ info: async () => ({ Runtimes: { runc: {}, runsc: {} }, SecurityOptions, OperatingSystem }) }) as never;

test('a daemon that runs as root without user namespaces is told of, and no other', async () => {
  expect(await checkIsolation(info(['name=seccomp,profile=default']), {})).toMatch(/as root without user namespaces/);
  expect(await checkIsolation(info(['name=userns']), {})).toBeUndefined();
  expect(await checkIsolation(info(['name=rootless']), {})).toBeUndefined();
  expect(await checkIsolation(info([], 'Docker Desktop'), {})).toBeUndefined();
  expect(await checkIsolation(info([]), { runtime: 'runsc' })).toBeUndefined();
});
