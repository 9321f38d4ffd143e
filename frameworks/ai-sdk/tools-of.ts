import type { ToolSet } from 'ai';
import type { AgentContext } from '../../agents/runtime/agent-context.ts';
import { keepFailure } from '../../agents/runtime/record/keep-failure.ts';

/** The agent's own tools, defined with `defineTool`, for `generateText`, `streamText` and `ToolLoopAgent`. */
export function toolsOf(context: AgentContext<never, never> | AgentContext): ToolSet {
  const tools = context.tools.map(({ name, description, parameters }): [string, ToolSet[string]] => [
    name,
    { description, inputSchema: parameters, execute: (input: unknown) => keepFailure(context, name, input) },
  ]);
  return Object.fromEntries(tools);
}
