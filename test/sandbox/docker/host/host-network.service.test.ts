import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Docker from 'dockerode';
import { createSandboxes } from '../../../../sandbox/docker/create-sandboxes.ts';
import { proxyForSandboxes, readHostNetwork } from '../../../../sandbox/docker/host/host-network.ts';
import { createTestSandboxes, outputOf } from '../../test-sandboxes.ts';

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

test("a proxy on the host's loopback address is not given to sandboxes", () => {
  const given = (value: string) => {
    const network = readHostNetwork({
      HTTPS_PROXY: value,
      HTTP_PROXY: 'http://proxy.example:3128',
      NO_PROXY: 'localhost',
    });
    return proxyForSandboxes(network);
  };
  const kept = {
    ...{ HTTP_PROXY: 'http://proxy.example:3128', http_proxy: 'http://proxy.example:3128' },
    ...{ NO_PROXY: 'localhost', no_proxy: 'localhost' },
  };
  for (const value of [
    'http://127.0.0.1:7890',
    '127.0.0.1:7890',
    'http://user:word@localhost:7890/',
    'http://[::1]:7890',
    'socks5://127.0.0.1:1080',
  ])
    expect({ value, ...given(value) }).toEqual({ value, variables: kept, leftOut: ['HTTPS_PROXY'] });
  for (const value of [
    'http://10.0.0.1:7890',
    'http://127.example.org',
    'http://localhost.example.org:1',
    'not an address',
  ])
    expect({ value, ...given(value) }).toEqual({
      value,
      variables: { ...kept, HTTPS_PROXY: value, https_proxy: value },
      leftOut: [],
    });
});

test('certificates named by both variables are taken together, once each, and only where the files are', () => {
  const bundle = join(folder, 'bundle.pem');
  const extra = join(folder, 'extra.pem');
  expect(readHostNetwork({ SSL_CERT_FILE: bundle, NODE_EXTRA_CA_CERTS: extra }).caFiles).toEqual([bundle, extra]);
  expect(readHostNetwork({ SSL_CERT_FILE: bundle, NODE_EXTRA_CA_CERTS: bundle }).caFiles).toEqual([bundle]);
  expect(readHostNetwork({ SSL_CERT_FILE: join(folder, 'absent.pem') }).caFiles).toEqual([]);
});

test('a sandbox has the proxy and certificates of its host, and nothing else of its environment', async () => {
  const network = {
    proxy: { HTTP_PROXY: 'http://proxy.example:3128', HTTPS_PROXY: 'http://127.0.0.1:7890' },
    caFiles: [join(folder, 'bundle.pem'), join(folder, 'extra.pem')],
  };
  const sandboxes = createSandboxes({ docker: new Docker(), stack: host.stack, network });
  const sandbox = await sandboxes.open(host.spec());
  expect(
    await outputOf(
      sandbox,
      'look',
      'echo $HTTP_PROXY $HTTPS_PROXY; cat "$SSL_CERT_FILE"; echo $NODE_EXTRA_CA_CERTS $PIP_CERT',
    ),
  ).toBe('http://proxy.example:3128\nBUNDLE\nEXTRA\n/home/agent/.longhaul/ca.crt /home/agent/.longhaul/ca.crt');
});

test('a sandbox on a host without such settings has none', async () => {
  const sandbox = await host.open();
  expect(await outputOf(sandbox, 'look', 'env | cut -d= -f1 | sort | tr "\\n" " "')).toBe(
    'GIT_TERMINAL_PROMPT HOME HOSTNAME LANG LONGHAUL_COMMAND NPM_CONFIG_PREFIX OLDPWD PATH PWD SHLVL _',
  );
});
