import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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
}

/** Serves MCP until the client leaves, or with `http` until Ctrl-C. */
export async function serveMcp(context: CommandContext, { http, port, tokenFile }: McpCommandOptions): Promise<void> {
  const signal = context.interruptSignal();
  const { home, agents } = await context.configurationWithFile();
  let opening: Promise<Longhaul> | undefined;
  const connect = () => {
    opening ??= connectLonghaul({ environment: context.environment }).catch((error: unknown) => {
      opening = undefined; // so that the next call tries again
      throw error;
    });
    return opening;
  };
  const onDefect = (error: unknown) => context.note(describeError(error));
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  const createServer = () => createMcpServer({ connect, rules: agents.permissions.rules, version, onDefect });
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
    await (await opening?.catch(() => undefined))?.close();
  }
}
