import { setTimeout as sleep } from 'node:timers/promises';
import { type McpServer, type McpServers, mcpToolName, type ProgramServer } from '../domain/mcp/mcp-server.ts';
import { quoteServer } from '../domain/quote-server.ts';
import { cutText } from '../domain/storable-text.ts';
import { type Connection, connect, connectTimeoutMs, type StartInSandbox } from './connect.ts';
import { listTools, type McpTool } from './list-tools.ts';
import { type McpAnswer, toAnswer } from './to-answer.ts';

/** The tools of the MCP servers that the settings name. */
export interface McpClients {
  /**
   * The tools of all servers that answer, in the servers' order; what the others' trouble is goes to `onNotice`, each once. One that is still starting
   * holds this up for `patienceMs` at most, unless it has the `wanted` tool; its tools are there later.
   */
  tools(options?: { wanted?: string | undefined }): Promise<McpTool[]>;
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

/** Milliseconds that a model call waits for a server to start and list its tools; a person waits for the model. */
const patienceMs = 5_000;

/** Milliseconds for a call, begun anew with each progress that the server reports; an hour in all. */
const callTimeoutMs = 5 * 60_000;
const maxCallMs = 60 * 60_000;

/** Characters of what went wrong with a call, for the agent. */
const maxTrouble = 2_000;

/** Tools of a server that are named when they are left out. */
const maxNamed = 10;

interface ServerState {
  name: string;
  server: McpServer;
  connection?: Promise<Connection> | undefined;
  tools?: Promise<McpTool[]> | undefined;
  /** When it was last asked to start or to list its tools; milliseconds since 1970. */
  askedAt: number;
  /** Until then it is not tried again; milliseconds since 1970. */
  leftUntil: number;
  trouble?: string | undefined;
  /** The tools that were left out, as they were told. */
  skipped: Set<string>;
}

/** Connects to servers when their tools are first asked for, and anew after a connection has ended. */
export function createMcpClients(
  servers: McpServers,
  {
    startInSandbox,
    onNotice,
  }: {
    startInSandbox(name: string, program: ProgramServer): ReturnType<StartInSandbox>;
    onNotice(text: string): void;
  },
): McpClients {
  const states = Object.entries(servers).map(
    ([name, server]): ServerState => ({ name, server, askedAt: 0, leftUntil: 0, skipped: new Set() }),
  );
  const closing = new AbortController();

  function connected(state: ServerState): Promise<Connection> {
    const forget = () => {
      state.connection = undefined;
      state.tools = undefined;
    };
    if (!state.connection) state.askedAt = Date.now();
    state.connection ??= connect(state.server, {
      startInSandbox: (program) => startInSandbox(state.name, program),
      onClose: forget,
      signal: closing.signal,
    });
    return state.connection;
  }

  /** Each once, and not without end: a server that reports changes is asked again. */
  function noticeSkipped({ name, skipped }: ServerState, tool: string, why: string): void {
    const text = `The tool "${quoteServer(tool)}" of the MCP server "${name}" is left out: ${why}.`;
    if (skipped.has(text) || skipped.size >= maxNamed) return;
    onNotice(skipped.add(text).size < maxNamed ? text : `${text} Further ones are not reported.`);
  }

  async function toolsOf(state: ServerState): Promise<McpTool[]> {
    if (Date.now() < state.leftUntil) return [];
    try {
      const { client } = await connected(state);
      if (!state.tools) state.askedAt = Date.now();
      state.tools ??= listTools(client, state.name, {
        timeoutMs: connectTimeoutMs,
        onSkip: (tool, why) => noticeSkipped(state, tool, why),
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
      tell(state, quoteServer((error as Error).message));
      return [];
    }
  }

  function tell(state: ServerState, trouble: string): void {
    if (state.trouble !== trouble) onNotice(`The MCP server "${state.name}" gives no tools: ${trouble}`);
    state.trouble = trouble;
  }

  async function toolsSoon(state: ServerState): Promise<McpTool[]> {
    const found = toolsOf(state);
    const left = Math.max(0, state.askedAt + patienceMs - Date.now());
    const waiting = new AbortController();
    const late = sleep(left, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
    const tools = await Promise.race([found, late]);
    waiting.abort();
    if (tools === undefined)
      tell(state, `it did not answer within ${patienceMs / 1000} seconds. Agents work without it until it does.`);
    return tools ?? [];
  }

  return {
    async tools({ wanted } = {}) {
      const has = ({ name }: ServerState) => wanted?.startsWith(mcpToolName(name, '')) ?? false;
      return (await Promise.all(states.map((state) => (has(state) ? toolsOf(state) : toolsSoon(state))))).flat();
    },
    async call({ server, tool }, given, signal) {
      const state = states.find(({ name }) => name === server);
      if (!state) return { failed: true, text: `The settings name no MCP server "${server}" any more.` };
      try {
        const { client } = await connected(state);
        const options = { signal, timeout: callTimeoutMs, resetTimeoutOnProgress: true, maxTotalTimeout: maxCallMs };
        const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
        const params = { name: tool, arguments: given };
        return toAnswer(await client.request({ method: 'tools/call', params }, CallToolResultSchema, options));
      } catch (error) {
        signal.throwIfAborted();
        const why = cutText((error as Error).message, maxTrouble);
        return { failed: true, text: `The call of the MCP server "${server}" failed: ${why}` };
      }
    },
    async close() {
      closing.abort(new Error('The worker ends.'));
      const open = states.flatMap(({ connection }) => (connection ? [connection] : []));
      await Promise.all(open.map(async (one) => (await one.catch(() => undefined))?.close()));
    },
  };
}
