import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createMcpClients, type McpClients } from '../../mcp/mcp-clients.ts';
import { startInSandbox } from '../support/mcp/start-in-sandbox.ts';

type Reply = (params: { cursor?: string }) => unknown;
interface Behaviour {
  list?: Reply;
  /** Takes the whole response to a call. */
  call?(response: ServerResponse, id: number): void;
  /** Whether the client's word that it has begun is answered. */
  begins?: boolean;
}

const plain = { name: 'look', inputSchema: { type: 'object' } };
const servers: Server[] = [];
let clients: McpClients | undefined;
let notices: string[] = [];

afterEach(async () => {
  await clients?.close();
  for (const one of servers.splice(0)) {
    one.closeAllConnections();
    one.close();
  }
  notices = [];
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** An MCP server that does what it likes. */
async function hostile({ list = () => ({ tools: [plain] }), call, begins = true }: Behaviour): Promise<McpClients> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let text = '';
    for await (const piece of request) text += piece;
    const { id, method, params } = JSON.parse(text);
    if (method === 'notifications/initialized') return void (begins && response.writeHead(202).end());
    if (method === 'tools/call' && call) return call(response, id);
    const hello = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    };
    const result = method === 'initialize' ? hello : list(params ?? {});
    const body = typeof result === 'string' ? result : JSON.stringify({ jsonrpc: '2.0', id, result });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }
  const url = await listen(createServer((request, response) => void answer(request, response)));
  clients = createMcpClients({ x: { url } }, { startInSandbox, onNotice: (text) => notices.push(text) });
  return clients;
}

async function namesFrom(behaviour: Behaviour): Promise<string[]> {
  // Waited for, however busy the machine is.
  return (await (await hostile(behaviour)).tools({ wanted: 'mcp__x__look' })).map(({ name }) => name);
}

test('pages without end are left after some', async () => {
  const page = () => ({ tools: [plain], nextCursor: 'more' });
  expect(await namesFrom({ list: page })).toEqual(['mcp__x__look']);
  expect(notices.at(-1)).toContain('more than 50 pages');
});

test('tools without end are left after some', async () => {
  const tools = Array.from({ length: 5_000 }, (_, index) => ({ ...plain, name: `look_${index}` }));
  expect(await namesFrom({ list: () => ({ tools }) })).toHaveLength(200);
  expect(notices).toHaveLength(10);
});

test('descriptions and schemas of any size or depth do not reach a model', async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`);
  const tools = [
    { ...plain, name: 'long', description: 'x'.repeat(300_000) },
    { ...plain, name: 'wide', inputSchema: { type: 'object', properties: { a: { enum: ['x'.repeat(300_000)] } } } },
    { ...plain, name: 'deep', inputSchema: { type: 'object', properties: deep } },
    plain,
  ];
  expect(await namesFrom({ list: () => ({ tools }) })).toEqual(['mcp__x__look']);
  expect(notices.join('\n')).toMatch(/"long".*characters[\s\S]*"wide".*characters[\s\S]*"deep".*levels deep/);
});

test('a second tool of one name is left out, since providers would refuse the request', async () => {
  expect(await namesFrom({ list: () => ({ tools: [plain, plain] }) })).toEqual(['mcp__x__look']);
});

test('a server that holds up the beginning does not hold up the agents', async () => {
  expect(await namesFrom({ begins: false })).toEqual([]);
}, 40_000);

test('what a server says of itself does not act on a terminal, and is short', async () => {
  const words = `\u001b[2J\u202e${'x'.repeat(10_000)}`;
  await namesFrom({ list: () => ({ tools: [{ ...plain, name: words }] }) });
  await clients?.close();
  await namesFrom({ list: () => words });
  expect(notices).toHaveLength(2);
  for (const notice of notices) expect(notice).not.toMatch(/\p{Cc}|\p{Bidi_Control}|x{500}/u);
});

test.each([
  ['text/event-stream', 'data: '],
  ['text/event-stream', 'data: x\n'],
  ['application/json', '{"a":"'],
])(
  'an answer without end, as %s of %j, is left',
  async (type, beginning) => {
    let sent = 0;
    const made = await hostile({
      call(response) {
        response.writeHead(200, { 'content-type': type }).write(beginning);
        const piece = beginning.endsWith('\n') ? beginning.repeat(8_000) : 'x'.repeat(64_000);
        const go = (): void => {
          if (response.destroyed || sent > 200_000_000) return;
          sent += piece.length;
          if (response.write(piece)) setImmediate(go);
          else response.once('drain', go);
        };
        go();
      },
    });
    const [tool] = await made.tools();
    if (!tool) throw new Error('Expected a tool.');
    expect(await made.call(tool, {}, AbortSignal.timeout(20_000))).toMatchObject({ failed: true });
    expect(sent).toBeLessThan(40_000_000);
  },
  30_000,
);

test('a regular expression in a schema of results does not occupy the process', async () => {
  const outputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
  const made = await hostile({
    list: () => ({ tools: [{ ...plain, outputSchema }] }),
    call: (response, id) => {
      const result = { content: [], structuredContent: { a: `${'a'.repeat(28)}!` } };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    },
  });
  const [tool] = await made.tools();
  if (!tool) throw new Error('Expected a tool.');
  const before = performance.now();
  expect(await made.call(tool, {}, AbortSignal.timeout(20_000))).toMatchObject({ failed: false });
  expect(performance.now() - before).toBeLessThan(1_000);
});

test('the headers for a server do not go to where it redirects', async () => {
  const got: unknown[] = [];
  const elsewhere = await listen(
    createServer((request, response) => {
      got.push(request.headers);
      response.end();
    }),
  );
  const url = await listen(createServer((_, response) => response.writeHead(307, { location: elsewhere }).end()));
  clients = createMcpClients(
    { x: { url, headers: { 'x-key': 'secret' } } },
    { startInSandbox, onNotice: (text) => notices.push(text) },
  );
  expect(await clients.tools()).toEqual([]);
  expect(got).toEqual([]);
});
