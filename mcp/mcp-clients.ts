import type { McpServer, McpServers } from '../domain/mcp/mcp-server.ts';
import { type Connection, connect, connectTimeoutMs } from './connect.ts';
import { listTools, type McpTool } from './list-tools.ts';
import { type McpAnswer, toAnswer } from './to-answer.ts';

/** The tools of the MCP servers that the settings name. */
export interface McpClients {
  /** The tools of all servers that answer, in the servers' order; what the others' trouble is goes to `onNotice`, each once. */
  tools(): Promise<McpTool[]>;
  /**
   * Calls a tool. What the server or the connection says against it is an answer that failed.
   * @throws what `signal` aborts with.
   */
  call(tool: McpTool, given: Record<string, unknown>, signal: AbortSignal): Promise<McpAnswer>;
  /** Ends the connections and the programs. */
  close(): Promise<void>;
}

/** After a failed attempt, a server is left alone for so long, since every model call asks for its tools. Milliseconds. */
const pauseMs = 30_000;

/** Milliseconds for a call, begun anew with each progress that the server reports; an hour in all. */
const callTimeoutMs = 5 * 60_000;
const maxCallMs = 60 * 60_000;

interface ServerState {
  name: string;
  server: McpServer;
  connection?: Promise<Connection> | undefined;
  tools?: Promise<McpTool[]> | undefined;
  /** Until then it is not tried again; milliseconds since 1970. */
  leftUntil: number;
  trouble?: string | undefined;
}

/** Connects to servers when their tools are first asked for, and anew after a connection has ended. */
export function createMcpClients(servers: McpServers, { onNotice }: { onNotice(text: string): void }): McpClients {
  const states = Object.entries(servers).map(([name, server]): ServerState => ({ name, server, leftUntil: 0 }));

  function connected(state: ServerState): Promise<Connection> {
    const forget = () => {
      state.connection = undefined;
      state.tools = undefined;
    };
    state.connection ??= connect(state.server, forget);
    return state.connection;
  }

  async function toolsOf(state: ServerState): Promise<McpTool[]> {
    if (Date.now() < state.leftUntil) return [];
    try {
      const { client } = await connected(state);
      state.tools ??= listTools(client, state.name, {
        timeout: connectTimeoutMs,
        onSkip: (tool) => onNotice(`The tool "${tool}" of the MCP server "${state.name}" is left out: ${nameExpected}`),
        onChange: () => {
          state.tools = undefined;
        },
      });
      const tools = await state.tools;
      state.trouble = undefined;
      return tools;
    } catch (error) {
      state.connection = undefined;
      state.tools = undefined;
      state.leftUntil = Date.now() + pauseMs;
      const trouble = (error as Error).message;
      if (state.trouble !== trouble) onNotice(`The MCP server "${state.name}" gives no tools: ${trouble}`);
      state.trouble = trouble;
      return [];
    }
  }

  return {
    tools: async () => (await Promise.all(states.map(toolsOf))).flat(),
    async call({ server, tool }, given, signal) {
      const state = states.find(({ name }) => name === server);
      if (!state) return { failed: true, text: `The settings name no MCP server "${server}" any more.` };
      try {
        const { client } = await connected(state);
        const options = { signal, timeout: callTimeoutMs, resetTimeoutOnProgress: true, maxTotalTimeout: maxCallMs };
        return toAnswer(await client.callTool({ name: tool, arguments: given }, undefined, options));
      } catch (error) {
        signal.throwIfAborted();
        return { failed: true, text: `The MCP server "${server}" did not do it: ${(error as Error).message}` };
      }
    },
    async close() {
      const open = states.flatMap(({ connection }) => (connection ? [connection] : []));
      await Promise.all(open.map(async (one) => (await one.catch(() => undefined))?.close()));
    },
  };
}

const nameExpected =
  'its name has more than 64 characters with the server\'s, or others than letters, digits, "_" and "-".';
