import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import getPort from 'get-port';
import { packageRoot } from '../../../config/package-root.ts';
import { smallProject } from '../../support/stack/scripts.ts';
import { type ServiceStack, startServiceStack } from '../../support/stack/service-stack.ts';

let stack: ServiceStack;
let server: ChildProcess;
let port: number;
let token: string;
const url = () => new URL(`http://127.0.0.1:${port}/mcp`);

beforeAll(async () => {
  stack = await startServiceStack({ script: smallProject([{ name: 'never' }]) });
  port = await getPort();
  server = spawn(process.execPath, [join(packageRoot(), 'bin', 'longhaul.cjs'), 'mcp', '--http', '--port', `${port}`], {
    env: { PATH: process.env.PATH, ...stack.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  token = await untilToken(server);
});
afterAll(async () => {
  if (server && server.exitCode === null) {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
  }
  await stack?.stop();
});

function untilToken({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (!stdout) throw new Error('Expected a pipe.');
    createInterface(stdout).on('line', (line) => {
      const shown = /The token, shown once .*: (\S+)$/.exec(line)?.[1];
      if (shown !== undefined) resolve(shown);
    });
  });
}

async function connect(bearer: string): Promise<Client> {
  const client = new Client({ name: 'test-client', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${bearer}` } };
  await client.connect(new StreamableHTTPClientTransport(url(), { requestInit }) as never);
  return client;
}

/** The status of a call with the right token and these headers. */
function statusWith(headers: Record<string, string>): Promise<number | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const accept = 'application/json, text/event-stream';
  return new Promise((resolve, reject) => {
    const sent = request(
      url(),
      {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept, ...headers },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.once('error', reject).end(body);
  });
}

test('the token that is shown lets in, and is kept in a file of its owner alone', async () => {
  const client = await connect(token);
  const result = await client.callTool({ name: 'list_long_running_projects', arguments: {} });
  expect(result.content).toEqual([{ type: 'text', text: 'There are no such projects.' }]);
  await client.close();
  expect(statSync(join(stack.home, 'mcp-token')).mode & 0o777).toBe(0o600);
});

test('a wrong token is refused', async () => {
  await expect(connect('wrong-token-wrong-token')).rejects.toThrow(/401|Unauthorized|Bearer/);
});

test.each([
  ['a call of a program', {}, 200],
  ['a page of this machine', { origin: 'http://localhost:3000' }, 200],
  ['a page of elsewhere', { origin: 'https://evil.example' }, 403],
  ['another name for this machine', { host: 'evil.example' }, 403],
  ['no token', { authorization: '' }, 401],
])('%s with the token: %j gets %d', async (_name, headers, status) => {
  expect(await statusWith(headers)).toBe(status);
});
