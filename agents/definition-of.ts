import { type AgentDefinition, agentDefinitions } from './agent-definition.ts';
import { delegateDefinitions } from './delegate-definition.ts';
import type { Role } from './role.ts';
import type { ToolName } from './tools/tool-declarations.ts';

/** Whose run it is decides: a role of projects is another agent where a chat delegates to it. */
export function definitionOf({ role, chatId }: { role: Role; chatId?: string | undefined }): AgentDefinition {
  if (chatId === undefined || role === 'chat') return agentDefinitions[role];
  const definition = Object.hasOwn(delegateDefinitions, role)
    ? delegateDefinitions[role as keyof typeof delegateDefinitions]
    : undefined;
  if (definition) return definition;
  throw new Error(`Expected a role that a chat delegates to, got "${role}".`);
}

/** The tools that a run is offered: those of its agent that the settings allow. */
export function offeredTools(
  run: { role: Role; chatId?: string | undefined },
  { chat }: { chat: { fetch: '*' | string[] } },
): readonly ToolName[] {
  const { tools } = definitionOf(run);
  return chat.fetch.length > 0 ? tools : tools.filter((tool) => tool !== 'fetch_url');
}
