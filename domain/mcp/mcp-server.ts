import type { NetworkPolicy } from '../network/network-policy.ts';

/** An MCP server that is a program: on the worker's machine, or in a sandbox of its own. */
export interface ProgramServer {
  command: string;
  args?: string[] | undefined;
  env?: Record<string, string> | undefined;
  sandbox?: boolean | undefined;
  /** What its sandbox reaches; package registries if absent. */
  network?: NetworkPolicy | undefined;
}

/** An MCP server whose tools agents get. */
export type McpServer = ProgramServer | { url: string; headers?: Record<string, string> | undefined };

/** By the name that a person gave it. */
export type McpServers = Record<string, McpServer>;

export function isInSandbox(server: McpServer | undefined): server is ProgramServer {
  return server !== undefined && 'command' in server && server.sandbox === true;
}

/** What a tool of a server is called by agents and in permission rules: `mcp__github__create_issue`. */
export function mcpToolName(server: string, tool: string): string {
  return `mcp__${server}__${tool}`;
}

/** Whether a name is one that `mcpToolName` made. */
export function isMcpToolName(name: string): boolean {
  return /^mcp__.+__./.test(name);
}

/** Whether a list of tools has an MCP tool: by its name, or by `mcp__<server>__*`, which is all of a server's. */
export function listsMcpTool(list: readonly string[], name: string): boolean {
  return list.some((entry) => entry === name || (entry.endsWith('__*') && name.startsWith(entry.slice(0, -1))));
}

/** The values that may be secrets: of environments and headers. */
export function secretsOfServers(servers: McpServers): string[] {
  return Object.values(servers).flatMap((server) =>
    Object.values('url' in server ? (server.headers ?? {}) : (server.env ?? {})),
  );
}
