import type { Role } from '../domain/run/role.ts';
import type { OwnerKind, RunOwner } from '../domain/run/run-owner.ts';
import { type AgentDefinition, agentDefinitions, beyondConversation, delegateDefinitions } from './agent-definition.ts';
import type { ToolName } from './tools/tool-declarations.ts';

/** A role of projects is a different agent when a chat delegates to it. */
const definitions: Record<OwnerKind, { [role: string]: AgentDefinition }> = {
  project: agentDefinitions,
  chat: { chat: agentDefinitions.chat, ...delegateDefinitions },
};

type RoleOfOwner = { role: Role; owner: Pick<RunOwner, 'kind'> };

export function definitionOf({ role, owner }: RoleOfOwner): AgentDefinition {
  const definition = definitions[owner.kind][role];
  if (definition) return definition;
  const known = Object.keys(definitions[owner.kind]).join(', ');
  throw new Error(`Expected a role of a ${owner.kind} (${known}), got "${role}".`);
}

const ofMemory: ReadonlySet<ToolName> = new Set(beyondConversation);

/** The tools offered to a run: those of its agent that the settings allow and, if `memory` is false, without those that reach beyond the chat. */
export function offeredTools(
  run: RoleOfOwner & { memory?: false | undefined },
  { chat }: { chat: { fetch: '*' | string[] } },
): readonly ToolName[] {
  const isOffered = (tool: ToolName) =>
    (tool !== 'fetch_url' || chat.fetch.length > 0) && (run.memory !== false || !ofMemory.has(tool));
  return definitionOf(run).tools.filter(isOffered);
}
