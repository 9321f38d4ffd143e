import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { McpServer } from '../domain/mcp/mcp-server.ts';
import { guardMessages, maxMessageBytes } from './guard-messages.ts';

/** Milliseconds for a server to start and to answer the first request. */
export const connectTimeoutMs = 20_000;

export interface Connection {
  client: Client;
  /** Ends the connection, and the program if it is one. */
  close(): Promise<void>;
}

/** Connects to a server, unless `signal` aborts meanwhile. A program gets the few variables that the SDK passes on (PATH, HOME and the like) and its own, none of Longhaul's. */
export async function connect(
  server: McpServer,
  { onClose, signal }: { onClose(): void; signal: AbortSignal },
): Promise<Connection> {
  const { Client, StdioClientTransport, StreamableHTTPClientTransport } = await loadSdk();
  const client = new Client({ name: 'longhaul', version: '1' });
  const close = () => client.close();
  let tooLong: Error | undefined;
  const fetch = guardMessages(globalThis.fetch, (error) => {
    tooLong = error;
    void close();
  });
  const transport =
    'url' in server
      ? new StreamableHTTPClientTransport(new URL(server.url), {
          fetch,
          requestInit: { headers: server.headers ?? {} },
        })
      : new StdioClientTransport({
          command: server.command,
          args: server.args ?? [],
          env: server.env ?? {},
          stderr: 'ignore',
          maxBufferSize: maxMessageBytes,
        });
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

/** Loaded with the first connection: it takes long, and most stacks have no server. */
async function loadSdk() {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  return { Client, StdioClientTransport, StreamableHTTPClientTransport };
}
