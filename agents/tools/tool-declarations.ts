import { z } from 'zod';
import { proposalSchema, proposedChecks } from '../../domain/project/proposal.ts';
import { taskStatuses } from '../../domain/stores/tasks.ts';
import { madeToolSchema } from '../../domain/tool/made-tool.ts';
import { chatToolDeclarations } from './chat-tool-declarations.ts';

interface ToolDeclaration {
  description: string;
  parameters: z.ZodObject;
  /** Changes nothing; read-only calls of the same turn run concurrently. */
  readOnly: boolean;
}

const path = z.string().min(1).describe('Relative to the workspace.');

/** The largest value of Postgres's `integer`, in which task and message numbers are stored. */
const largestInteger = 2 ** 31 - 1;

const taskNumber = z.number().int().min(1).max(largestInteger).describe('Its number, e.g. 3.');

/** Every tool that an agent can be given; the model reads the descriptions. */
export const toolDeclarations = {
  list_files: {
    description: 'Lists files and folders below a folder of the workspace, without ignored ones.',
    parameters: z.object({
      path: path.exactOptional(),
      depth: z.number().int().min(1).max(20).exactOptional().describe('Default 3.'),
    }),
    readOnly: true,
  },
  read_file: {
    description: 'Reads a text file with line numbers.',
    parameters: z.object({
      path,
      offset: z.number().int().min(1).exactOptional().describe('First line, default 1.'),
      limit: z.number().int().min(1).max(2000).exactOptional().describe('Number of lines, default 1000.'),
    }),
    readOnly: true,
  },
  search_files: {
    description: 'Searches the workspace for a regular expression; returns path, line number and line.',
    parameters: z.object({
      pattern: z.string().min(1),
      path: path.exactOptional(),
      glob: z.string().exactOptional().describe('Only files whose name matches, e.g. "*.py".'),
    }),
    readOnly: true,
  },
  read_output: {
    description:
      'Shows an older tool result that was shortened in this conversation, or the full output of a command whose result has only the head and the tail.',
    parameters: z.object({
      message: z.number().int().min(0).max(largestInteger).describe('The message number that the result names.'),
      offset: z
        .number()
        .int()
        .min(0)
        .exactOptional()
        .describe('First character, or first byte of a full output. Default 0.'),
      limit: z.number().int().min(1).max(30_000).exactOptional().describe('Characters or bytes, default 10000.'),
    }),
    readOnly: true,
  },
  read_skill: {
    description: 'Reads a skill that your instructions list, or one of its files.',
    parameters: z.object({
      name: z.string().min(1),
      file: z.string().min(1).exactOptional().describe('Relative to its folder; default SKILL.md.'),
    }),
    readOnly: true,
  },
  git_log: {
    description: 'Shows the latest commits of the project.',
    parameters: z.object({ limit: z.number().int().min(1).max(50).exactOptional().describe('Default 10.') }),
    readOnly: true,
  },
  git_diff: {
    description: 'Shows what this session has changed since it began, new files included.',
    parameters: z.object({ path: path.exactOptional() }),
    readOnly: true,
  },
  write_file: {
    description: 'Creates a file or replaces its whole content; missing folders are created.',
    parameters: z.object({ path, content: z.string() }),
    readOnly: false,
  },
  edit_file: {
    description: 'Replaces an exact piece of text in a file. The text must occur once, unless replace_all is set.',
    parameters: z.object({
      path,
      old_text: z.string().min(1),
      new_text: z.string(),
      replace_all: z.boolean().exactOptional(),
    }),
    readOnly: false,
  },
  run_command: {
    description:
      'Runs a bash command in the workspace and returns its output and exit code. Start servers in the background with &. After its timeout, the command is stopped with all its processes.',
    parameters: z.object({
      command: z.string().min(1),
      timeout_seconds: z.number().int().min(1).max(3600).exactOptional().describe('Default 120.'),
    }),
    readOnly: false,
  },
  search_memory: {
    description:
      'Searches the memories: decisions of this project and lessons of others; in a chat, facts, preferences, lessons and summaries.',
    parameters: z.object({
      query: z.string().min(1),
      scope: z
        .enum(['session', 'project', 'global'])
        .exactOptional()
        .describe('Only memories of this chat or project, or only global ones.'),
      kind: z.string().min(1).exactOptional().describe('e.g. fact, preference, lesson, decision, summary.'),
      limit: z.number().int().min(1).max(20).exactOptional().describe('Default 5.'),
    }),
    readOnly: true,
  },
  write_memory: {
    description:
      'Remembers something that will matter in later conversations, in one or two self-contained sentences. The result says if it is already known.',
    parameters: z.object({
      content: z.string().trim().min(1).max(4000),
      kind: z.enum(['fact', 'preference', 'lesson', 'summary']),
      scope: z.enum(['global', 'session']).exactOptional().describe('Everywhere (default), or in this chat only.'),
      tags: z.array(z.string().min(1).max(60)).max(10).default([]),
    }),
    readOnly: false,
  },
  forget_memory: {
    description: 'Removes a memory from search; the person can restore it.',
    parameters: z.object({ id: z.string().min(1).describe('As search_memory shows it.') }),
    readOnly: false,
  },
  get_recent_conversations: {
    description: 'Shows the latest messages in order: of this chat, or of all chats.',
    parameters: z.object({
      limit: z.number().int().min(1).max(50).exactOptional().describe('Messages of the person, default 10.'),
      all_sessions: z.boolean().exactOptional().describe('Messages of all chats; default false.'),
    }),
    readOnly: true,
  },
  create_task: {
    description: 'Creates a task. Tasks outlive this chat.',
    parameters: z.object({
      title: z.string().trim().min(1).max(200),
      description: z.string().max(4000).exactOptional(),
      priority: z.number().int().min(1).max(10).exactOptional().describe('10 is the most urgent, default 5.'),
      due_date: z.iso.date().exactOptional().describe('A day, e.g. 2026-03-01.'),
      depends_on: z.array(taskNumber).max(50).exactOptional().describe('Numbers of the tasks that must be done first.'),
    }),
    readOnly: false,
  },
  update_task_status: {
    description:
      'Sets the status of a task. It can only begin or be complete when the tasks it depends on are complete or cancelled; one that has ended begins again as not_started.',
    parameters: z.object({
      task: taskNumber,
      status: z.enum(taskStatuses),
      note: z.string().max(1000).exactOptional().describe('Why, or what came of it.'),
    }),
    readOnly: false,
  },
  get_task: {
    description: 'Shows one task with all its details.',
    parameters: z.object({ task: taskNumber }),
    readOnly: true,
  },
  list_tasks: {
    description: 'Lists the open tasks, the most urgent first.',
    parameters: z.object({
      all_sessions: z
        .boolean()
        .exactOptional()
        .describe('Tasks of all chats, not only of this one and of none; default false.'),
      status: z.enum(taskStatuses).exactOptional().describe('Tasks with this status instead.'),
    }),
    readOnly: true,
  },
  record_decision: {
    description: 'Records a decision that later sessions must know: what the situation was, what was chosen, and why.',
    parameters: z.object({
      title: z.string().trim().min(1).max(200),
      context: z.string().trim().min(1),
      choice: z.string().trim().min(1),
      reasoning: z.string().trim().min(1),
      tags: z.array(z.string()).max(10).default([]),
    }),
    readOnly: false,
  },
  log_progress: {
    description: "Adds a note to the project's progress log, which later sessions read first.",
    parameters: z.object({ note: z.string().trim().min(1).max(2000) }),
    readOnly: false,
  },
  submit_plan: {
    description: 'Submits the plan for this feature and ends the planning.',
    parameters: z.object({
      steps: z
        .array(z.string().trim().min(1))
        .min(1)
        .max(30)
        .describe('Small steps, each of which leaves something that runs.'),
      risks: z.string().exactOptional(),
    }),
    readOnly: false,
  },
  finish: {
    description:
      'Submits the work: the harness commits it and runs the verification itself. Must be the only call of its turn.',
    parameters: z.object({
      summary: z.string().trim().min(1).describe('What was done.'),
      evidence: z.string().trim().min(1).describe('What you ran and what it showed.'),
    }),
    readOnly: false,
  },
  give_up: {
    description: 'Ends the attempt without a result. The next attempt gets what you learned.',
    parameters: z.object({ reason: z.string().trim().min(1), learned: z.string().trim().min(1) }),
    readOnly: false,
  },
  cannot_be_done: {
    description:
      'Ends the attempt because no work could pass: the checks contradict the description or each other, or it requires what is impossible here. A person decides how to go on, and the attempt does not count.',
    parameters: z.object({
      reason: z.string().trim().min(1).describe('What contradicts what, or what is impossible.'),
      evidence: z.string().trim().min(1).describe('The lines that contradict, or what you ran and what it showed.'),
    }),
    readOnly: false,
  },
  request_change: {
    description:
      'Ends the attempt because the work needs a change that a session must not make: of init.sh, of a locked package, or of a file that steers or helps the checks. The attempt does not count unless the change is refused. Another agent decides on what steers or helps checks, a person on the rest.',
    parameters: z.object({
      path: z.string().trim().min(1).describe('The file.'),
      reason: z.string().trim().min(1).describe('What has to change in it, and why the feature needs that.'),
    }),
    readOnly: false,
  },
  allow_change: {
    description: "Ends the run: the feature's sessions may change the file, and their work counts with it.",
    parameters: z.object({ reason: z.string().trim().min(1).describe('Why the checks stay as strict with it.') }),
    readOnly: false,
  },
  refuse_change: {
    description: 'Ends the run: the change must not be made. The next attempt reads the reason.',
    parameters: z.object({
      reason: z.string().trim().min(1).describe('What it would make weaker, and how the work can do without it.'),
    }),
    readOnly: false,
  },
  approve_work: {
    description: 'Ends the review: the work does what the description says.',
    parameters: z.object({ summary: z.string().trim().min(1).describe('What you looked at.') }),
    readOnly: false,
  },
  object_to_work: {
    description:
      'Ends the review: the work does not do what the description says. The next attempt reads the place and the reason.',
    parameters: z.object({
      place: z.string().trim().min(1).describe('The file and line, or the requirement that is not met.'),
      reason: z.string().trim().min(1).describe('What is wrong there, and what would be right.'),
    }),
    readOnly: false,
  },
  generate_tool: {
    description:
      'Creates a tool for something you compute repeatedly. You can call it from your next turn on; later conversations and other agents have it too. It runs in its own sandbox without network and without your files; files it writes are gone after the call. It is accepted if its name is free, its parameters are a JSON Schema, its code imports only what is allowed and evaluates no text, and your tests pass. A refusal names the line.',
    parameters: z.object({
      ...madeToolSchema.shape,
      new_version: z.boolean().exactOptional().describe('Replace the made tool with this name.'),
    }),
    readOnly: false,
  },
  propose_checks: {
    description: 'Proposes a verification that replaces the present one of this feature, and ends the run.',
    parameters: proposedChecks,
    readOnly: false,
  },
  propose_project: {
    description:
      'Proposes the features, their verification, the set-up script and the smoke check, and ends the planning of the project.',
    parameters: proposalSchema,
    readOnly: false,
  },
  ...chatToolDeclarations,
} as const satisfies Record<string, ToolDeclaration>;

export type ToolName = keyof typeof toolDeclarations;

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(toolDeclarations, name);
}
