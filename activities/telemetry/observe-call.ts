import { isToolName } from '../../agents/tools/tool-declarations.ts';
import { isMcpToolName } from '../../domain/mcp/mcp-server.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { RequestedToolCall } from '../../domain/run/message.ts';
import { genAi } from '../../domain/telemetry/gen-ai.ts';
import type { Telemetry } from '../../domain/telemetry/telemetry.ts';
import type { ToolResult } from '../tools/tool.ts';

/** Executes a tool call as a span of the trace, and counts it. */
export async function observeCall<Result extends Pick<ToolResult, 'text' | 'failed'>>(
  { tracer, metrics }: Pick<Telemetry, 'tracer' | 'metrics'>,
  /** `agent`: the name of a user's own agent. */
  { runId, role, owner, agent = role }: Pick<AgentRun, 'runId' | 'role' | 'owner'> & { agent?: string },
  call: RequestedToolCall,
  execute: () => Promise<Result>,
): Promise<Result> {
  const attributes = {
    [genAi.operation]: 'execute_tool',
    [genAi.tool]: call.name,
    [genAi.toolCall]: call.id,
    [genAi.toolType]: 'function',
    [genAi.agent]: agent,
    [genAi.conversation]: owner.kind === 'chat' ? owner.id : runId,
    'longhaul.run.id': runId,
    ...(tracer.contents && { [genAi.toolArguments]: call.arguments }),
  };
  return tracer.inSpan({ name: `execute_tool ${call.name}`, attributes }, async (span) => {
    const result = await execute();
    if (tracer.contents) span.set({ [genAi.toolResult]: result.text });
    if (result.failed) span.end(Object.assign(new Error('The tool reported a failure.'), { type: 'tool_failed' }));
    // The names of a person's own agent are in its code.
    const label = owner.kind === 'run' ? call.name : labelOf(call.name);
    metrics.toolCall(label, result.failed ? 'failed' : 'succeeded');
    return result;
  });
}

/** A name that a model made up must not become a new time series each time. */
function labelOf(name: string): string {
  return isToolName(name) || isMcpToolName(name) ? name : 'other';
}
