import type { Role } from '../domain/run/role.ts';
import { type AgentDefinition, agentDefinitions, beyondConversation, delegateDefinitions } from './agent-definition.ts';
import type { ToolName } from './tools/tool-declarations.ts';

/** The definition depends on the run's owner: a role of projects is a different agent when a chat delegates to it. */
export function definitionOf({ role, chatId }: { role: Role; chatId?: string | undefined }): AgentDefinition {
  if (chatId === undefined || role === 'chat') return agentDefinitions[role];
  const definition = Object.hasOwn(delegateDefinitions, role)
    ? delegateDefinitions[role as keyof typeof delegateDefinitions]
    : undefined;
  if (definition) return definition;
  throw new Error(`Expected a role that a chat delegates to, got "${role}".`);
}

const ofMemory: ReadonlySet<ToolName> = new Set(beyondConversation);

/** The tools offered to a run: those of its agent that the settings allow and, if `memory` is false, without those that reach beyond the chat. */
export function offeredTools(
  run: { role: Role; chatId?: string | undefined; memory?: false | undefined },
  { chat }: { chat: { fetch: '*' | string[] } },
): readonly ToolName[] {
  const isOffered = (tool: ToolName) =>
    (tool !== 'fetch_url' || chat.fetch.length > 0) && (run.memory !== false || !ofMemory.has(tool));
  return definitionOf(run).tools.filter(isOffered);
}
