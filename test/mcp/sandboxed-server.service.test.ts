import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../config/package-root.ts';
import type { McpServers } from '../../domain/mcp/mcp-server.ts';
import { createMcpClients, type McpClients } from '../../mcp/mcp-clients.ts';
import { createSandboxes } from '../../sandbox/docker/create-sandboxes.ts';
import { imageTag } from '../../sandbox/image/image-tag.ts';
import type { Sandboxes } from '../../sandbox/sandbox.ts';
import { createMcpSandboxes, type McpSandboxes } from '../../workers/mcp-sandboxes.ts';
import { waitFor } from '../support/wait-for.ts';

/** A server whose tool runs a script in bash and answers with its output; it says something on its standard error, and a line that is no message. */
const server = `
const { execFileSync } = require('node:child_process');
console.error('It starts.');
console.log('No message.');
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shell', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'bash', inputSchema: { type: 'object' } }] }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: execFileSync('bash', ['-c', params.arguments.script], { encoding: 'utf8' }) }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }));
});`;
const servers: McpServers = {
  shell: { command: 'node', args: ['-e', server], env: { SHELL_KEY: 'its own' }, sandbox: true, network: 'none' },
};

const stack = `test-${randomBytes(6).toString('hex')}`;
const { signal } = new AbortController();
const notices: string[] = [];
let sandboxes: Sandboxes;
let inSandboxes: McpSandboxes;
let clients: McpClients;

beforeAll(async () => {
  const image = process.env.SANDBOX_IMAGE || (await imageTag(packageRoot()));
  sandboxes = createSandboxes({ stack, gatewayImage: image });
  inSandboxes = createMcpSandboxes(servers, { sandboxes, stack, image, rules: [] });
  clients = createMcpClients(servers, {
    startInSandbox: inSandboxes.start,
    onNotice: (text) => notices.push(text),
  });
});
afterAll(async () => {
  await clients?.close();
  await inSandboxes?.close();
});

async function bash(script: string): Promise<{ text: string; failed: boolean }> {
  const wanted = 'mcp__shell__bash';
  const tool = (await clients.tools({ wanted })).find(({ name }) => name === wanted);
  if (!tool) throw new Error(`Expected the tool bash: ${notices.join(' ')}`);
  return clients.call(tool, { script }, signal);
}

test('a server in a sandbox has the tools of its program, and its own variables, files and network only', async () => {
  const { text } = await bash('id -un; echo $SHELL_KEY; echo kept > ~/note; ls /workspace; ls /sys/class/net');
  expect(text.split('\n')).toEqual(['agent', 'its own', 'lo', '']);
  expect(notices).toEqual([]);
  expect((await sandboxes.list()).map(({ owner }) => owner)).toEqual([{ owner: 'shell', purpose: 'mcp' }]);
});

test('a program that ends is started again in the same sandbox', async () => {
  expect(await bash('kill $PPID')).toMatchObject({
    failed: true,
    text: expect.stringContaining('The call of the MCP server'),
  });
  expect(await bash('cat ~/note')).toEqual({ text: 'kept\n', failed: false });
});

test('a sandbox that is lost is made anew', async () => {
  const [name = ''] = inSandboxes.names;
  await sandboxes.close(name);
  await waitFor('the end of the connection', async () => (await bash('cat ~/note || true')).text === '');
});

test('the program ends with its connection, and the sandbox when the worker ends', async () => {
  await bash('true'); // the connection is there
  const [name = ''] = inSandboxes.names;
  const sandbox = await sandboxes.find(name);
  const count = async () => {
    const { output } =
      (await sandbox?.run({ id: randomBytes(4).toString('hex'), script: 'pgrep -fc "^node -e"', timeoutMs: 9_000 })) ??
      {};
    return output?.text.trim();
  };
  expect(await count()).toBe('1');
  await clients.close();
  await waitFor('the end of the program', async () => (await count()) === '0');
  await inSandboxes.close();
  expect(await sandboxes.list()).toEqual([]);
});
