import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NetworkPolicy } from '../../../../domain/network/network-policy.ts';
import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { bridgeAddress } from '../../../support/servers/bridge-address.ts';
import { createTestSandboxes, outputOf, runIn, testImage, waitFor } from '../../test-sandboxes.ts';

const host = createTestSandboxes();
const server = `longhaul-test-server-${host.stack}`;
const docker = (...parameters: string[]) => execFileSync('docker', parameters, { encoding: 'utf8' }).trim();
/** The container host's address. */
const bridge = bridgeAddress();
let address: string;
let policy: string[];
/** With the policy `policy` and `none`. */
let sandbox: Sandbox;
let closed: Sandbox;

beforeAll(async () => {
  docker('run', '-d', '--name', server, testImage, 'python3', '-m', 'http.server', '8000', '--directory', '/etc');
  address = docker('inspect', '-f', '{{.NetworkSettings.IPAddress}}', server);
  policy = [`${address}:8000`, `${address}:9000`, bridge];
  [sandbox, closed] = await Promise.all([host.open({ network: policy }), host.open({ network: 'none' })]);
  await waitFor(async () => (await outputOf(sandbox, `up-${Date.now()}`, fetchPage())) === 'localhost');
});
afterAll(async () => {
  docker('rm', '-f', server);
  await host.closeAll();
});

const fetchPage = (options = '') => `curl -s -m 10 ${options} http://${address}:8000/hosts | grep -o -m 1 localhost`;
const gatewayOf = async ({ name }: Sandbox) =>
  (await host.container(name).inspect()).Config.Labels['longhaul.via-gateway'] ?? '';

test('what the policy names is reached, plainly and through a tunnel, by many at once', async () => {
  expect(await outputOf(sandbox, 'tunnel', fetchPage('--proxytunnel'))).toBe('localhost');
  const many = `for i in $(seq 40); do (${fetchPage('--proxytunnel')}) & done; wait`;
  expect((await outputOf(sandbox, 'many', many)).split('\n')).toEqual(Array(40).fill('localhost'));
  const large = 'head -c 30000000 /dev/urandom >/tmp/large; sha256sum </tmp/large';
  const echo = `python3 -c '
import socket, threading
server = socket.create_server(("0.0.0.0", 9000))
while True:
    client, _ = server.accept()
    def echo(client=client):
        while data := client.recv(65536): client.sendall(data)
        client.close()
    threading.Thread(target=echo).start()'`;
  docker('exec', '-d', server, 'sh', '-c', echo);
  const through = `python3 -c '
import hashlib, socket, sys, threading
data = open("/tmp/large", "rb").read()
proxy = socket.create_connection(("127.0.0.1", 18128))
proxy.sendall(b"CONNECT ${address}:9000 HTTP/1.1\\r\\n\\r\\n")
while not proxy.recv(1) == b"\\n" or not proxy.recv(2) == b"\\r\\n": pass
threading.Thread(target=lambda: (proxy.sendall(data), proxy.shutdown(socket.SHUT_WR))).start()
came = hashlib.sha256()
while piece := proxy.recv(65536): came.update(piece)
print(came.hexdigest(), " -")'`;
  const [sent, came] = (await outputOf(sandbox, 'echo', `${large}; ${through}`)).split('\n');
  expect(came).toBe(sent);
});

test('anything else is refused, with a sentence in the output and the host in the log', async () => {
  const why = `network policy "${policy}" does not allow refused.example.org:443`;
  expect(
    await outputOf(sandbox, 'refused', 'curl -sv https://refused.example.org 2>&1 | grep -o "403 Longhaul.*"'),
  ).toMatch(new RegExp(`^403 Longhaul: ${why}`));
  await waitFor(async () => (await host.sandboxes.refusals(sandbox.name)).length > 0);
  expect(await host.sandboxes.refusals(sandbox.name)).toEqual([{ host: 'refused.example.org', port: 443, why }]);
});

test('the container host is refused although the policy names it', async () => {
  const status = `curl -s -o /dev/null -w '%{http_code}' -m 5 http://${bridge}`;
  expect(await outputOf(sandbox, 'container-host', status)).toBe('403');
});

test('what a rule refuses is refused under every policy, and the log says by which rule', async () => {
  const refusedHosts = [{ hosts: address, why: '`deny Network(...)` of the project' }];
  const ruled = await host.open({ network: policy, refusedHosts });
  const why = `${address}:8000 is refused by ${refusedHosts[0]?.why}`;
  expect(await outputOf(ruled, 'ruled', `curl -s -m 10 http://${address}:8000/hosts`)).toContain(`Longhaul: ${why}`);
  await waitFor(async () => (await host.sandboxes.refusals(ruled.name)).length > 0);
  expect(await host.sandboxes.refusals(ruled.name)).toEqual([{ host: address, port: 8000, why }]);
});

test('a sandbox without network has no gateway, and a fork of one with network has none either', async () => {
  expect(await outputOf(closed, 'look', `ls /run/longhaul-network 2>&1; ${fetchPage()}`)).toMatch(/No such file/);
  await host.sandboxes.stop(sandbox.name);
  const fork = await host.sandboxes.fork(sandbox.name, `${sandbox.name}-step`);
  const script = `ls /sys/class/net; ls /run/longhaul-network 2>&1; env | grep -ci proxy; ${fetchPage('')}`;
  const { output } = await fork.execute({ script, timeoutMs: 20_000 });
  expect(output.text).toMatch(/^lo\nls: cannot access .*\n0\n$/);
  await host.sandboxes.close(fork.name);
  expect((await host.reopen(sandbox.name)).origin).toBe('restarted');
  await waitFor(async () => (await outputOf(sandbox, `again-${Date.now()}`, fetchPage())) === 'localhost');
});

test("the line of another sandbox opens nothing that one's own policy closes", async () => {
  const other = await host.open({ network: ['other.example.org'] });
  const ticket = await outputOf(sandbox, 'ticket', 'cat ~/.longhaul/gateway-ticket');
  const stolen = `python3 -c '
import socket
gateway = socket.socket(socket.AF_UNIX)
gateway.connect("/run/longhaul-network/gateway.sock")
gateway.sendall(b"${ticket}\\nGET http://${address}:8000/hosts HTTP/1.1\\r\\nHost: ${address}\\r\\nConnection: close\\r\\n\\r\\n")
print(gateway.recv(200).decode())'`;
  expect(await outputOf(sandbox, 'own', stolen)).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(await outputOf(other, 'stolen', stolen)).toMatch(/^HTTP\/1\.1 403 /);
  const write = 'touch /run/longhaul-network/x; rm -f /run/longhaul-network/gateway.sock; ls /run/longhaul-network';
  expect(await outputOf(other, 'write', `${write} 2>&1`)).toMatch(/Read-only file system[\s\S]*\ngateway\.sock$/);
});

test('a killed forwarder is started again, and a killed gateway with the next look for a sandbox', async () => {
  await runIn(sandbox, 'kill', 'pkill -9 perl; sleep 0.2');
  await waitFor(async () => (await outputOf(sandbox, `forwarder-${Date.now()}`, fetchPage())) === 'localhost');
  const gateway = await gatewayOf(sandbox);
  docker('kill', gateway);
  expect(await outputOf(sandbox, 'away', `curl -s -m 5 http://${address}:8000/`)).toMatch(
    /the network gateway does not answer/,
  );
  await host.reopen(sandbox.name);
  expect(await outputOf(sandbox, 'back', fetchPage())).toBe('localhost');
  docker('rm', '-f', gateway);
  await host.reopen(sandbox.name);
  expect(await outputOf(sandbox, 'anew', fetchPage())).toBe('localhost');
});

test('several callers at once make one gateway, which goes with its last sandbox, and keep no connection to the container host', async () => {
  const connections = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
  const before = connections();
  const network: NetworkPolicy = ['together.example.org'];
  const sandboxes = await Promise.all([1, 2, 3].map(() => host.open({ network })));
  const names = new Set(await Promise.all(sandboxes.map(gatewayOf)));
  expect(names.size).toBe(1);
  const [gateway = ''] = names;
  const isThere = () =>
    docker('ps', '-aq', '--filter', `name=${gateway}`) !== '' &&
    docker('volume', 'ls', '-q', '--filter', `name=${gateway}`) !== '';
  for (const { name } of sandboxes.slice(1)) await host.sandboxes.close(name);
  await host.sandboxes.closeGateways('unused');
  expect(isThere()).toBe(true);
  await host.sandboxes.close(sandboxes[0]?.name ?? '');
  await host.sandboxes.closeGateways('unused');
  expect([
    docker('ps', '-aq', '--filter', `name=${gateway}`),
    docker('volume', 'ls', '-q', '--filter', `name=${gateway}`),
  ]).toEqual(['', '']);
  expect(docker('ps', '-q', '--filter', `name=${await gatewayOf(sandbox)}`)).not.toBe('');
  await waitFor(async () => connections() <= before + 1);
});
