import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { isInSandbox, type McpServer, type ProgramServer } from '../domain/mcp/mcp-server.ts';
import { guardMessages, maxMessageBytes } from './guard-messages.ts';
import { type Program, programTransport } from './program-transport.ts';

/** Milliseconds for a server to start and to answer the first request. */
export const connectTimeoutMs = 20_000;

export interface Connection {
  client: Client;
  /** Ends the connection, and the program if it is one. */
  close(): Promise<void>;
}

/** Starts the program of a server in its sandbox. */
export type StartInSandbox = (program: ProgramServer) => Promise<Program>;

/** Connects to a server, unless `signal` aborts meanwhile. */
export async function connect(
  server: McpServer,
  { startInSandbox, onClose, signal }: { startInSandbox: StartInSandbox; onClose(): void; signal: AbortSignal },
): Promise<Connection> {
  const sdk = await loadSdk();
  const client = new sdk.Client({ name: 'longhaul', version: '1' });
  const close = () => client.close();
  let tooLong: Error | undefined;
  const fetch = guardMessages(globalThis.fetch, (error) => {
    tooLong = error;
    void close();
  });
  const transport = await openTransport(server, { sdk, startInSandbox, fetch });
  client.onclose = onClose;
  // The SDK's own timeout is for the first answer alone, and a server may hold up what follows.
  const late = setTimeout(close, connectTimeoutMs);
  try {
    await client.connect(transport as Parameters<Client['connect']>[0], { timeout: connectTimeoutMs, signal });
  } catch (error) {
    await close();
    throw tooLong ?? error;
  } finally {
    clearTimeout(late);
  }
  return { client, close };
}

async function openTransport(
  server: McpServer,
  {
    sdk,
    startInSandbox,
    fetch,
  }: { sdk: Awaited<ReturnType<typeof loadSdk>>; startInSandbox: StartInSandbox; fetch: typeof globalThis.fetch },
) {
  if ('url' in server) {
    const requestInit = { headers: server.headers ?? {} };
    return new sdk.StreamableHTTPClientTransport(new URL(server.url), { fetch, requestInit });
  }
  if (isInSandbox(server)) {
    const buffer = new sdk.ReadBuffer({ maxBufferSize: maxMessageBytes });
    return programTransport(await startInSandbox(server), { buffer, serialize: sdk.serializeMessage });
  }
  // On this machine it gets the few variables that the SDK passes on (PATH, HOME and the like) and its own, none of Longhaul's.
  const { command, args = [], env = {} } = server;
  return new sdk.StdioClientTransport({ command, args, env, stderr: 'ignore', maxBufferSize: maxMessageBytes });
}

/** Loaded with the first connection: it takes long, and most stacks have no server. */
async function loadSdk() {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { ReadBuffer, serializeMessage } = await import('@modelcontextprotocol/sdk/shared/stdio.js');
  return { Client, ReadBuffer, serializeMessage, StdioClientTransport, StreamableHTTPClientTransport };
}
