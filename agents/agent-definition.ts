import { delegateDefinitions } from './delegate-definition.ts';
import type { Role } from './role.ts';
import type { ToolName } from './tools/tool-declarations.ts';

export interface AgentDefinition {
  role: Role;
  /** Markdown files below `agents/prompts/`, without their ending. */
  instructions: string;
  /** What a run begins with; a person begins a chat. */
  task?: string;
  tools: readonly ToolName[];
  /** Turns of one run where nothing says otherwise, but for agents that a chat delegates to; `run-limits.ts` tells what does. */
  maxTurns?: number;
  /** It answers a person: words without a call end its answer, and `maxTurns` are of one answer. */
  answersInWords?: boolean;
}

const reading = ['list_files', 'read_file', 'search_files', 'git_log', 'read_output'] as const;
const noting = ['search_memory', 'record_decision', 'log_progress'] as const;
const working = [
  ...reading,
  'git_diff',
  'write_file',
  'edit_file',
  'run_command',
  ...noting,
  'finish',
  'give_up',
] as const;

/** Tools that read or write what stays beyond a conversation. */
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
  'start_project',
  'list_projects',
  'get_project',
  'fetch_url',
] as const;

/** Of one empty or existing repository, which is read once. */
const initializingTurns = 20;
/** 12 turns are enough to look at a tree and plan; more of it has been guessing, not reading. */
const planningTurns = 12;
/** Of one answer to a person. */
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
  code: { role: 'code', instructions: 'code', task: 'session-task', tools: working, maxTurns: workingTurns },
  testing: { role: 'testing', instructions: 'testing', task: 'session-task', tools: working, maxTurns: workingTurns },
  documentation: {
    role: 'documentation',
    instructions: 'documentation',
    task: 'session-task',
    tools: working,
    maxTurns: workingTurns,
  },
  research: delegateDefinitions.research,
  chat: {
    role: 'chat',
    instructions: 'chat',
    tools: chatting,
    maxTurns: answeringTurns,
    answersInWords: true,
  },
};
