import { fence } from '../../agents/fence.ts';
import { beginToolCall } from '../../db/transcript/begin-tool-call.ts';
import { findRun } from '../../db/transcript/transcript.ts';
import { listsMcpTool } from '../../domain/mcp/mcp-server.ts';
import type { RunAgent } from '../../domain/project/settings.ts';
import type { RequestedToolCall } from '../../domain/run/message.ts';
import type { Role } from '../../domain/run/role.ts';
import { preview } from '../../domain/storable-text.ts';
import type { McpTool } from '../../mcp/list-tools.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ActivitySignals } from '../heartbeat.ts';
import { parseJson } from './parse-arguments.ts';
import type { ToolResult } from './tool.ts';

/** Agents that do work or answer a person; those that plan or judge it have only what they need for that. */
const workers: ReadonlySet<Role> = new Set<Role>(['chat', 'code', 'testing', 'documentation', 'research']);

/** Finds and calls the tools of MCP servers. */
export function createMcpTools({ database, mcp }: Pick<Dependencies, 'database' | 'mcp'>) {
  return { given, find, call };

  /** The tools that a run's model is offered; of an agent with a list of its own, those on it. The server of the `wanted` one is waited for. */
  async function given({ role }: { role: Role }, agent: RunAgent | null, wanted?: string): Promise<McpTool[]> {
    if (!workers.has(role)) return [];
    const list = agent?.tools;
    return (await mcp.tools({ wanted })).filter(({ name }) => list === undefined || listsMcpTool(list, name));
  }

  async function find({ runId, role }: { runId: string; role: Role }, name: string): Promise<McpTool | undefined> {
    const run = await findRun(database, runId);
    // A worker that has just started is asked for a call of before: the server gets the time that it needs.
    return (await given({ role }, run?.agent ?? null, name)).find((tool) => tool.name === name);
  }

  /** Calls a tool once: an attempt after one that was cut off does not repeat it, unless the server says that it only reads. */
  async function call(
    tool: McpTool,
    { arguments: text }: RequestedToolCall,
    place: { runId: string; turn: number; position: number },
    { cancel, detach }: ActivitySignals,
  ): Promise<ToolResult> {
    const read = parseJson(tool.name, text);
    if ('complaint' in read) return { failed: true, text: read.complaint };
    const { value: argued } = read;
    if (typeof argued !== 'object' || argued === null || Array.isArray(argued))
      return { failed: true, text: `Expected an object as the arguments of ${tool.name}, got: ${preview(text)}` };
    if (!(await beginToolCall(database, { ...place, name: tool.name })) && !tool.readOnly) {
      const cutOff = `An earlier attempt of this call was cut off: whether ${tool.name} was done is not known.`;
      return { failed: true, text: `${cutOff} Find out before you call it again.` };
    }
    const answer = await mcp.call(tool, argued as Record<string, unknown>, AbortSignal.any([cancel, detach]));
    return {
      text: fence(`the MCP server ${tool.server}`, answer.text, 'The tool returned an empty text.'),
      ...(answer.text && { display: answer.text }),
      failed: answer.failed,
    };
  }
}
