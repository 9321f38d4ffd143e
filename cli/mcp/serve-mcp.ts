import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { connectLonghaul, type Longhaul } from '../../client/longhaul.ts';
import { createMcpServer } from '../../client/mcp/create-mcp-server.ts';
import { serveHttp } from '../../client/mcp/serve-http.ts';
import { serveStdio } from '../../client/mcp/serve-stdio.ts';
import { readToken } from '../../client/mcp/token-file.ts';
import { packageRoot } from '../../config/package-root.ts';
import type { CommandContext } from '../program/command-context.ts';
import { describeError } from '../program/describe-error.ts';

export interface McpCommandOptions {
  http?: boolean;
  port: number;
  tokenFile?: string;
  folder?: string[];
}

/** Serves MCP until the client leaves, or with `http` until Ctrl-C. */
export async function serveMcp(
  context: CommandContext,
  { http, port, tokenFile, folder }: McpCommandOptions,
): Promise<void> {
  const signal = context.interruptSignal();
  const { home, agents } = await context.configurationWithFile();
  const onDefect = (error: unknown) => context.note(describeError(error));
  const connection = createConnection(context.environment, onDefect);
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  const folders = servedFolders(context.folder, folder);
  const { rules } = agents.permissions;
  const createServer = () => createMcpServer({ ...connection, rules, folders, version, onDefect });
  try {
    if (!http) return await serveStdio(createServer(), { stdin: context.stdin, stdout: context.stdout, signal });
    const file = resolve(context.folder, tokenFile ?? join(home, 'mcp-token'));
    const { token, isNew } = await readToken(file);
    const endpoint = await serveHttp({ createServer, port, token, onDefect });
    context.print(`MCP is served at ${endpoint.url} until Ctrl-C.`);
    context.print(isNew ? `The token, shown once and kept in ${file}: ${token}` : `The token is in ${file}.`);
    if (!signal.aborted) await once(signal, 'abort');
    await endpoint.close();
  } finally {
    await connection.close();
  }
}

/** A server that a client starts in the person's home, or at the root of the disk, was given no folder. */
function servedFolders(current: string, named?: string[]): string[] {
  if (named) return named.map((one) => resolve(current, one));
  return [homedir(), parse(current).root].includes(current) ? [] : [current];
}

/** A connection that is made when it is first needed, and again after its servers were unreachable. */
function createConnection(environment: CommandContext['environment'], onDefect: (error: unknown) => void) {
  let opening: Promise<Longhaul> | undefined;
  return { connect, disconnect, close };

  function connect(): Promise<Longhaul> {
    opening ??= connectLonghaul({ environment }).catch((error: unknown) => {
      opening = undefined; // so that the next call tries again
      throw error;
    });
    return opening;
  }

  function disconnect(): void {
    close().catch(onDefect);
  }

  async function close(): Promise<void> {
    const longhaul = opening;
    opening = undefined;
    await (await longhaul?.catch(() => undefined))?.close();
  }
}
