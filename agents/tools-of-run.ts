import { agentDefinitions } from './agent-definition.ts';
import type { Role } from './role.ts';
import type { ToolName } from './tools/tool-declarations.ts';

/** Tools that read or write what stays beyond a conversation. */
const ofMemory: ReadonlySet<string> = new Set<ToolName>([
  'search_memory',
  'write_memory',
  'forget_memory',
  'get_recent_conversations',
  'create_task',
  'update_task_status',
  'get_task',
  'list_tasks',
]);

/** The tools that an agent has; one of a conversation without memory has none that leave a trace beyond it. */
export function toolsOfRun({ role, memory }: { role: Role; memory?: false }): readonly ToolName[] {
  const { tools } = agentDefinitions[role];
  return memory === false ? tools.filter((name) => !ofMemory.has(name)) : tools;
}
