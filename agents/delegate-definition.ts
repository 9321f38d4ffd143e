import type { AgentDefinition } from './agent-definition.ts';
import type { ToolName } from './tools/tool-declarations.ts';

/** Roles that a chat can delegate to. */
export const delegateRoles = ['code', 'research', 'testing', 'documentation'] as const;
export type DelegateRole = (typeof delegateRoles)[number];

const reading = ['list_files', 'read_file', 'search_files', 'read_output', 'search_memory'] as const;
const writing = ['write_file', 'edit_file'] as const;

/** Agents that a chat delegates to: they answer in words and share its sandbox, but cannot delegate further. */
export const delegateDefinitions: Record<DelegateRole, AgentDefinition> = {
  code: define('code', [...reading, ...writing, 'run_command']),
  research: define('research', ['search_memory', 'get_recent_conversations', 'read_output', 'fetch_url']),
  testing: define('testing', [...reading, ...writing, 'run_command']),
  documentation: define('documentation', [...reading, ...writing, 'run_command']),
};

/** A chat's tools that work in its sandbox or delegate to an agent that does. */
const inSandbox: readonly string[] = [
  'create_sandbox',
  'execute_code',
  'run_command',
  ...writing,
  'list_files',
  'read_file',
  'search_files',
  'delegate_code_task',
  'delegate_testing_task',
  'delegate_documentation_task',
] satisfies ToolName[];

export function usesSandbox(tool: string): boolean {
  return inSandbox.includes(tool);
}

/** The role that a delegating tool delegates to; undefined for any other tool. */
export function delegateRoleOf(tool: string): DelegateRole | undefined {
  return delegateRoles.find((role) => tool === `delegate_${role}_task`);
}

function define(role: DelegateRole, tools: ToolName[]): AgentDefinition {
  return {
    role,
    instructions: `delegate-${role}`,
    task: 'delegate-task',
    tools,
    answersInWords: true,
  };
}
