import { once } from 'node:events';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

interface Streams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  /** Ends the serving. */
  signal: AbortSignal;
}

/** Serves one client until it closes its end. Nothing else may write to stdout meanwhile. */
export async function serveStdio(server: McpServer, { stdin, stdout, signal }: Streams): Promise<void> {
  const ended = Promise.race([once(stdin, 'end'), once(stdin, 'close'), untilAborted(signal)]);
  await server.connect(new StdioServerTransport(stdin, stdout));
  await ended;
  await server.close();
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
