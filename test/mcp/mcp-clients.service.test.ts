import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { packageRoot } from '../../config/package-root.ts';
import type { McpServer } from '../../domain/mcp/mcp-server.ts';
import { createMcpClients, type McpClients } from '../../mcp/mcp-clients.ts';
import { startInSandbox } from '../support/mcp/start-in-sandbox.ts';

const program = join(packageRoot(), 'test', 'support', 'mcp', 'notes-server.mjs');
const { signal } = new AbortController();
let folder: string;
let notes: McpServer;
let open: McpClients | undefined;
let notices: string[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'longhaul-mcp-'));
  notes = { command: process.execPath, args: [program], env: { NOTES_FILE: join(folder, 'notes') } };
});
afterEach(async () => {
  await open?.close();
  notices = [];
});
afterAll(() => rmSync(folder, { recursive: true }));

function clientsOf(server: McpServer): McpClients {
  open = createMcpClients({ notes: server }, { startInSandbox, onNotice: (text) => notices.push(text) });
  return open;
}

async function callOf(clients: McpClients, tool: string, given: Record<string, unknown> = {}, until = signal) {
  const wanted = `mcp__notes__${tool}`;
  const found = (await clients.tools({ wanted })).find(({ name }) => name === wanted);
  if (!found) throw new Error(`Expected the tool ${tool}.`);
  return clients.call(found, given, until);
}

test('the tools of a program are listed under its name, with what they take, but for names that providers refuse', async () => {
  const tools = await clientsOf(notes).tools({ wanted: 'mcp__notes__add_note' });
  expect(tools.map(({ name, readOnly }) => [name, readOnly])).toEqual([
    ['mcp__notes__add_note', false],
    ['mcp__notes__slow_note', false],
    ['mcp__notes__read_notes', true],
    ['mcp__notes__environment', false],
    ['mcp__notes__end', false],
  ]);
  expect(tools[0]).toMatchObject({ description: 'Adds a note.', parameters: { required: ['text'] } });
  expect(notices).toEqual([expect.stringContaining('The tool "not usable!" of the MCP server "notes" is left out')]);
});

test('a call is answered with its text, and what a tool refuses is a failure', async () => {
  const clients = clientsOf(notes);
  expect(await callOf(clients, 'add_note', { text: 'Milk' })).toEqual({ text: 'Noted: Milk', failed: false });
  expect(await callOf(clients, 'add_note')).toEqual({ text: 'Expected a text.', failed: true });
  expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('Milk\n');
});

test("a program gets none of this process's variables but the common ones, and its own", async () => {
  process.env.OPENAI_API_KEY = 'sk-not-for-servers';
  const { text } = await callOf(clientsOf(notes), 'environment');
  delete process.env.OPENAI_API_KEY;
  expect(text.split(' ')).toEqual(expect.arrayContaining(['NOTES_FILE', 'PATH']));
  expect(text).not.toContain('OPENAI_API_KEY');
});

test('a program that ends is started again for the next call', async () => {
  const clients = clientsOf(notes);
  expect(await callOf(clients, 'end')).toMatchObject({
    failed: true,
    text: expect.stringContaining('The call of the MCP server'),
  });
  expect(await callOf(clients, 'read_notes')).toMatchObject({ failed: false });
});

test('a call ends when it is cancelled', async () => {
  const cancel = new AbortController();
  const call = callOf(clientsOf(notes), 'slow_note', { text: 'Slow' }, cancel.signal);
  setTimeout(() => cancel.abort(new Error('Stopped.')), 1_000);
  await expect(call).rejects.toThrow('Stopped.');
});

test('a server that cannot be started gives no tools and one notice', async () => {
  const clients = clientsOf({ command: '/nowhere/server' });
  expect(await clients.tools()).toEqual([]);
  expect(await clients.tools()).toEqual([]);
  expect(notices).toEqual([expect.stringMatching(/^The MCP server "notes" gives no tools: .*ENOENT/)]);
});

test('a server that is slow to start does not hold up the first call, and gives its tools later', async () => {
  const slow = `sleep 8; exec "${process.execPath}" "${program}"`;
  const clients = clientsOf({ command: 'sh', args: ['-c', slow], env: { NOTES_FILE: join(folder, 'slow') } });
  const begun = Date.now();
  expect(await clients.tools()).toEqual([]);
  expect(await clients.tools()).toEqual([]); // the second call does not wait once more
  expect(Date.now() - begun).toBeLessThan(7_500);
  expect(notices).toEqual([
    'The MCP server "notes" gives no tools: it did not answer within 5 seconds. Agents work without it until it does.',
  ]);
  expect(await clients.tools({ wanted: 'mcp__notes__add_note' })).toHaveLength(5);
  expect(await clients.tools()).toHaveLength(5);
});

test('clients that are closed do not wait for a server that hangs', async () => {
  const clients = clientsOf({ command: 'sleep', args: ['60'] });
  const asked = clients.tools({ wanted: 'mcp__notes__add_note' });
  const begun = Date.now();
  await clients.close();
  expect(await asked).toEqual([]);
  expect(Date.now() - begun).toBeLessThan(5_000);
});

test('a server at an address is asked with its headers', async () => {
  const env = { PATH: process.env.PATH ?? '', NOTES_FILE: join(folder, 'remote'), NOTES_TOKEN: 'secret-token' };
  const server: ChildProcess = spawn(process.execPath, [program, '--http'], { env });
  const [line] = await once(server.stdout as NonNullable<typeof server.stdout>, 'data');
  const url = String(line).trim();
  try {
    const clients = clientsOf({ url, headers: { authorization: 'secret-token' } });
    expect(await callOf(clients, 'add_note', { text: 'Tea' })).toMatchObject({ text: 'Noted: Tea' });
    await clients.close();
    expect(await clientsOf({ url }).tools()).toEqual([]);
    expect(notices.at(-1)).toContain('gives no tools');
  } finally {
    server.kill();
  }
});
