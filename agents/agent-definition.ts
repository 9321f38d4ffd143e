import type { Role } from '../domain/run/role.ts';
import type { OwnerKind, RunOwner } from '../domain/run/run-owner.ts';
import { projectToolNames } from './tools/project-tool-declarations.ts';
import type { ToolName } from './tools/tool-declarations.ts';

export interface AgentDefinition {
  role: Role;
  /** The name of a Markdown file in a folder of `agents/prompts/`, without its extension. */
  instructions: string;
  /** The prompt that starts a run; absent for a chat, which a person starts. */
  task?: string;
  tools: readonly ToolName[];
  /** Default limit on the turns of one run, except for agents that a chat delegates to; `run-limits.ts` says what overrides it. */
  maxTurns?: number;
  /** Answers a person: text without a tool call ends the answer, and `maxTurns` applies to each answer. */
  answersInWords?: boolean;
}

const reading = ['list_files', 'read_file', 'search_files', 'git_log', 'read_output', 'read_skill'] as const;
const noting = ['search_memory', 'record_decision', 'log_progress'] as const;
const working = [
  ...reading,
  'git_diff',
  'write_file',
  'edit_file',
  'run_command',
  ...noting,
  'search_web',
  'fetch_url',
  'finish',
  'give_up',
  'cannot_be_done',
  'request_change',
] as const;

/** Tools that read or write state outliving a conversation. */
export const beyondConversation = [
  'search_memory',
  'write_memory',
  'forget_memory',
  'get_recent_conversations',
  'create_task',
  'update_task_status',
  'get_task',
  'list_tasks',
  'generate_tool',
] as const;

const chatting = [
  'read_output',
  'read_skill',
  ...beyondConversation,
  'create_sandbox',
  'execute_code',
  'run_command',
  'list_files',
  'read_file',
  'search_files',
  'write_file',
  'edit_file',
  'delegate_code_task',
  'delegate_research_task',
  'delegate_testing_task',
  'delegate_documentation_task',
  ...projectToolNames,
  'search_web',
  'fetch_url',
] as const;

/** Roles that a chat can delegate to. */
export const delegateRoles = ['code', 'research', 'testing', 'documentation'] as const;
export type DelegateRole = (typeof delegateRoles)[number];

const workingInChat: ToolName[] = [
  'list_files',
  'read_file',
  'search_files',
  'read_output',
  'read_skill',
  'search_memory',
  'write_file',
  'edit_file',
  'run_command',
];

/** Agents that a chat delegates to: they answer in words and share its sandbox, but cannot delegate further. */
export const delegateDefinitions: Record<DelegateRole, AgentDefinition> = {
  code: define('code', workingInChat),
  research: define('research', [
    'search_memory',
    'get_recent_conversations',
    'read_output',
    'read_skill',
    'search_web',
    'fetch_url',
  ]),
  testing: define('testing', workingInChat),
  documentation: define('documentation', workingInChat),
};

/** A chat's tools that work in its sandbox or delegate to an agent that does. */
const inSandbox: readonly string[] = [
  'create_sandbox',
  'execute_code',
  'run_command',
  'write_file',
  'edit_file',
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

/** For reading one empty or existing repository once, and for writing the checks of a feature. */
const initializingTurns = 20;
/** 12 turns are enough to look at a tree and plan; further turns went into guessing, not reading. */
const planningTurns = 12;
/** As for planning: it reads, then decides. Also for a decision on a requested change. */
const reviewingTurns = 12;
/** Per answer to a person. */
const answeringTurns = 15;
/** About twice what SWE-style agents need for a small feature. */
const workingTurns = 60;

export const agentDefinitions: Record<Role, AgentDefinition> = {
  initializer: {
    role: 'initializer',
    instructions: 'initializer',
    task: 'initializer-task',
    tools: [...reading, 'propose_project'],
    maxTurns: initializingTurns,
  },
  planner: {
    role: 'planner',
    instructions: 'planner',
    task: 'session-task',
    tools: [...reading, ...noting, 'submit_plan'],
    maxTurns: planningTurns,
  },
  checks: {
    role: 'checks',
    instructions: 'checks',
    task: 'checks-task',
    tools: [...reading, 'run_command', 'propose_checks', 'give_up'],
    maxTurns: initializingTurns,
  },
  changes: {
    role: 'changes',
    instructions: 'changes',
    task: 'changes-task',
    tools: [...reading, 'git_diff', 'run_command', 'allow_change', 'refuse_change', 'give_up'],
    maxTurns: reviewingTurns,
  },
  code: { role: 'code', instructions: 'code', task: 'session-task', tools: working, maxTurns: workingTurns },
  testing: { role: 'testing', instructions: 'testing', task: 'session-task', tools: working, maxTurns: workingTurns },
  documentation: {
    role: 'documentation',
    instructions: 'documentation',
    task: 'session-task',
    tools: working,
    maxTurns: workingTurns,
  },
  reviewer: {
    role: 'reviewer',
    instructions: 'reviewer',
    task: 'review-task',
    tools: [...reading, 'git_diff', 'approve_work', 'object_to_work'],
    maxTurns: reviewingTurns,
  },
  research: delegateDefinitions.research,
  chat: {
    role: 'chat',
    instructions: 'chat',
    tools: chatting,
    maxTurns: answeringTurns,
    answersInWords: true,
  },
  // Its instructions and tools are declared by its user, and its limits are those of its run.
  agent: { role: 'agent', instructions: 'agent', tools: [], answersInWords: true },
};

/** A role of projects is a different agent when a chat delegates to it. */
const definitions: Record<OwnerKind, { [role: string]: AgentDefinition }> = {
  project: agentDefinitions,
  chat: { chat: agentDefinitions.chat, ...delegateDefinitions },
  run: { agent: agentDefinitions.agent },
};

type RoleOfOwner = { role: Role; owner: Pick<RunOwner, 'kind'>; submits?: true | undefined };

export function definitionOf({ role, owner, submits }: RoleOfOwner): AgentDefinition {
  const definition = definitions[owner.kind][role];
  if (definition) return submits ? { ...definition, answersInWords: false } : definition;
  const known = Object.keys(definitions[owner.kind]).join(', ');
  throw new Error(`Expected a role of a ${owner.kind} (${known}), got "${role}".`);
}

const ofMemory: ReadonlySet<ToolName> = new Set(beyondConversation);

/** The tools offered to a run: those of its agent that the settings allow and, if `memory` is false, without those that reach beyond the chat. */
export function offeredTools(
  run: RoleOfOwner & { memory?: false | undefined },
  { search }: { search?: unknown },
): readonly ToolName[] {
  const isOffered = (tool: ToolName) =>
    (tool !== 'search_web' || search !== undefined) && (run.memory !== false || !ofMemory.has(tool));
  return definitionOf(run).tools.filter(isOffered);
}
