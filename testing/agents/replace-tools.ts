import { AgentError } from '../../agents/runtime/agent-error.ts';
import type { AgentTool } from '../../agents/runtime/tools/define-tool.ts';

/**
 * An agent's tools, some of them replaced by others of the same name.
 * @throws {AgentError} `UnknownTool` if the agent has no tool of that name.
 */
export function replaceTools(tools: readonly AgentTool[], others: readonly AgentTool[]): AgentTool[] {
  const names = tools.map(({ name }) => name);
  const stranger = others.find(({ name }) => !names.includes(name));
  if (stranger) {
    throw new AgentError(
      'UnknownTool',
      `Expected a tool to take the place of one of the agent's (${names.join(', ') || 'none'}), got "${stranger.name}".`,
    );
  }
  return tools.map((tool) => others.find(({ name }) => name === tool.name) ?? tool);
}
