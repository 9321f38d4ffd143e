import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Docker from 'dockerode';
import { toContainerSpec } from '../../../../sandbox/docker/container/container-spec.ts';
import { createSandboxes } from '../../../../sandbox/docker/create-sandboxes.ts';
import { readHostNetwork, upstreamProxies } from '../../../../sandbox/docker/host/host-network.ts';
import { checkIsolation, readIsolation } from '../../../../sandbox/docker/host/isolation.ts';
import { createTestSandboxes, outputOf, testImage } from '../../test-sandboxes.ts';

describe('isolation', () => {
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

  test("a sandbox asks for less of the disk's time than other programs have", () => {
    // Of the request: a kernel without weights has Docker drop them.
    const network = { proxy: {}, caFiles: [], addresses: [] };
    const given = { spec: host.spec(), network, stack: host.stack, hostCpus: 2, isolation: {} };
    const { HostConfig } = toContainerSpec(given);
    expect(HostConfig?.BlkioWeight).toBeGreaterThan(0); // 0 is Docker's default: as much as all others
    expect(HostConfig?.BlkioWeight).toBeLessThan(500);
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
});

describe('network', () => {
  const host = createTestSandboxes();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longhaul-test-network-'));
    await writeFile(join(folder, 'bundle.pem'), 'BUNDLE');
    await writeFile(join(folder, 'extra.pem'), 'EXTRA\n');
  });
  afterAll(async () => {
    await host.closeAll();
    await rm(folder, { recursive: true });
  });

  test('proxy variables are read in either case and given in both; unset ones stay unset', () => {
    const { proxy } = readHostNetwork({
      http_proxy: 'http://proxy.example:3128',
      NO_PROXY: 'localhost',
      HTTPS_PROXY: '',
    });
    expect(proxy).toEqual({
      HTTP_PROXY: 'http://proxy.example:3128',
      http_proxy: 'http://proxy.example:3128',
      NO_PROXY: 'localhost',
      no_proxy: 'localhost',
    });
  });

  test("gateways use the host's HTTP proxies, and neither one on its loopback address nor another kind", () => {
    const given = (value: string) =>
      upstreamProxies(readHostNetwork({ HTTPS_PROXY: value, NO_PROXY: 'a.example, .b.example' }));
    const exceptions = ['a.example', 'b.example'];
    for (const value of [
      'http://127.0.0.1:7890',
      '127.0.0.1:7890',
      'http://user:word@localhost:7890/',
      'http://[::1]:7890',
      'socks5://proxy.example:1080',
      'not an address',
    ])
      expect({ value, ...given(value) }).toEqual({ value, exceptions, leftOut: ['HTTPS_PROXY'] });
    expect(given('http://user:w%40rd@10.0.0.1:7890')).toEqual({
      https: { host: '10.0.0.1', port: 7890, credentials: 'user:w@rd' },
      exceptions,
      leftOut: [],
    });
    expect(
      upstreamProxies(readHostNetwork({ ALL_PROXY: 'proxy.example:1', HTTP_PROXY: 'http://localhost:2' })),
    ).toEqual({
      https: { host: 'proxy.example', port: 1 },
      exceptions: [],
      leftOut: ['HTTP_PROXY'],
    });
  });

  test('certificates named by both variables are taken together, once each, and only where the files are', () => {
    const bundle = join(folder, 'bundle.pem');
    const extra = join(folder, 'extra.pem');
    expect(readHostNetwork({ SSL_CERT_FILE: bundle, NODE_EXTRA_CA_CERTS: extra }).caFiles).toEqual([bundle, extra]);
    expect(readHostNetwork({ SSL_CERT_FILE: bundle, NODE_EXTRA_CA_CERTS: bundle }).caFiles).toEqual([bundle]);
    expect(readHostNetwork({ SSL_CERT_FILE: join(folder, 'absent.pem') }).caFiles).toEqual([]);
  });

  test("a sandbox with network has its host's certificates and the gateway as its proxy, but not its host's proxy", async () => {
    const network = {
      proxy: { HTTP_PROXY: 'http://user:word@proxy.example:3128' },
      caFiles: [join(folder, 'bundle.pem'), join(folder, 'extra.pem')],
      addresses: [],
    };
    const sandboxes = createSandboxes({ docker: new Docker(), stack: host.stack, network, gatewayImage: testImage });
    const sandbox = await sandboxes.open(host.spec({ network: 'packages' }));
    expect(await outputOf(sandbox, 'look', 'env | grep -i proxy= | sort; cat "$SSL_CERT_FILE"; echo $PIP_CERT')).toBe(
      [
        'HTTPS_PROXY=http://127.0.0.1:18128',
        'HTTP_PROXY=http://127.0.0.1:18128',
        'NODE_USE_ENV_PROXY=1',
        'NO_PROXY=localhost,127.0.0.1,::1',
        'YARN_HTTPS_PROXY=http://127.0.0.1:18128',
        'YARN_HTTP_PROXY=http://127.0.0.1:18128',
        'http_proxy=http://127.0.0.1:18128',
        'https_proxy=http://127.0.0.1:18128',
        'no_proxy=localhost,127.0.0.1,::1',
        'BUNDLE',
        'EXTRA',
        '/home/agent/.longhaul/ca.crt',
      ].join('\n'),
    );
  });

  test('a sandbox without network has none of this', async () => {
    const sandbox = await host.open();
    expect(await outputOf(sandbox, 'look', 'env | cut -d= -f1 | sort | tr "\\n" " "')).toBe(
      'GIT_TERMINAL_PROMPT HOME HOSTNAME LANG LONGHAUL_COMMAND NPM_CONFIG_PREFIX OLDPWD PATH PWD SHLVL _',
    );
  });
});
