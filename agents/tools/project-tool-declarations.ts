import { z } from 'zod';
import { decisionOutcomes } from '../../domain/project/decision-feedback.ts';
import { addedChecks, featureSchema } from '../../domain/project/proposal.ts';
import { projectStatuses } from '../../domain/project/statuses.ts';

const project = z.string().trim().min(1).describe('Its id or name, as list_long_running_projects shows it.');
const feature = z.string().trim().min(1).describe('Its name, as list_project_features shows it.');
const reason = z.string().trim().min(1).max(2000);

/** What `update_feature_status` can be asked for. */
const requestedStatuses = ['passing', 'failing', 'blocked', 'not_started'] as const;

/** Tools with which an agent drives projects: those of a chat, and those that `longhaul mcp` serves. */
export const projectToolDeclarations = {
  create_long_running_project: {
    description:
      'Starts a project: agents plan a goal as features and work on them for hours or days, in a repository of its own. Only if the person wants that: it costs far more than an answer. It continues by itself: get_project_status shows how it stands.',
    parameters: z.object({
      goal: z.string().trim().min(1).max(50_000).describe('What to build, for whom, and how to see that it works.'),
      name: z.string().trim().min(1).max(80).exactOptional().describe("A few words (default: the goal's first words)."),
    }),
    readOnly: false,
  },
  list_long_running_projects: {
    description: 'Lists projects, the newest first.',
    parameters: z.object({
      status: z.enum(projectStatuses).exactOptional().describe('Only projects with this status.'),
      limit: z.number().int().min(1).max(100).exactOptional().describe('Default 20.'),
    }),
    readOnly: true,
  },
  get_project_status: {
    description:
      'Shows a project: its status and why, how many features pass, what is worked on, its checkpoints, and what waits for a person.',
    parameters: z.object({ project }),
    readOnly: true,
  },
  list_project_features: {
    description: 'Lists the features of a project with their status, what they depend on and how they are verified.',
    parameters: z.object({ project }),
    readOnly: true,
  },
  get_project_progress_log: {
    description: 'Shows the latest entries of the progress log of a project, oldest first.',
    parameters: z.object({
      project,
      limit: z.number().int().min(1).max(200).exactOptional().describe('Default 20.'),
    }),
    readOnly: true,
  },
  get_next_feature_to_work_on: {
    description: 'Shows the feature that is next in order, with its verification and what was learned about it.',
    parameters: z.object({ project }),
    readOnly: true,
  },
  add_project_feature: {
    description:
      'Adds a feature to a project that has its plan. Its verification must fail before the work is done and pass afterwards; Longhaul runs it.',
    parameters: z.object({
      project,
      ...featureSchema.omit({ verification: true }).shape,
      verification: addedChecks,
    }),
    readOnly: false,
  },
  update_feature_status: {
    description:
      "Asks for a status of a feature. `passing` starts Longhaul's own verification of what is in the project's folder since the last checkpoint, without any work of its agents, and returns the verdict: only that makes it PASSING. `failing` and `blocked` need a reason; `not_started` is for a blocked feature. A session of Longhaul says that a feature is in progress.",
    parameters: z.object({
      project,
      feature,
      status: z.enum(requestedStatuses),
      reason: reason.exactOptional().describe('Why, for whoever works on it next.'),
    }),
    readOnly: false,
  },
  log_project_progress: {
    description: 'Adds a note to the progress log of a project, which its sessions read first.',
    parameters: z.object({ project, note: z.string().trim().min(1).max(2000) }),
    readOnly: false,
  },
  record_project_decision: {
    description:
      'Records a decision of a project that its later sessions must know: the situation, the choice, and why.',
    parameters: z.object({
      project,
      title: z.string().trim().min(1).max(200),
      context: z.string().trim().min(1).max(4000),
      choice: z.string().trim().min(1).max(4000),
      reasoning: z.string().trim().min(1).max(4000),
      tags: z.array(z.string().max(60)).max(10).default([]),
    }),
    readOnly: false,
  },
  list_project_decisions: {
    description: 'Lists the decisions of a project and what came of them, the latest last.',
    parameters: z.object({
      project,
      limit: z.number().int().min(1).max(100).exactOptional().describe('Default 20.'),
    }),
    readOnly: true,
  },
  record_decision_outcome: {
    description:
      'Records what came of a decision. Later sessions that recall the decision read the outcome and the lesson with it.',
    parameters: z.object({
      project,
      decision: z.string().trim().min(1).describe('Its id, as list_project_decisions shows it.'),
      outcome: z.enum(decisionOutcomes),
      score: z.number().min(-1).max(1).describe('From -1, it did harm, to 1, it was right.'),
      lesson: z.string().trim().min(1).max(2000).exactOptional().describe('What to do like it, or otherwise.'),
    }),
    readOnly: false,
  },
  pause_project: {
    description:
      'Pauses a project: nothing new starts. Work in flight finishes and is kept, or stops at once with `now`.',
    parameters: z.object({ project, reason: reason.exactOptional(), now: z.boolean().exactOptional() }),
    readOnly: false,
  },
  resume_project: {
    description:
      'Continues a project that is paused, waits or has ended; features without attempts left get new ones. Its agents then work, which costs money.',
    parameters: z.object({ project }),
    readOnly: false,
  },
  abandon_project: {
    description: 'Ends a project and stops its work. Everything stays readable.',
    parameters: z.object({ project, reason: reason.exactOptional() }),
    readOnly: false,
  },
  revert_project: {
    description:
      'Moves a project back to a checkpoint (branch, features, decisions and memories) and pauses it. What is undone stays reachable in git.',
    parameters: z.object({
      project,
      checkpoint: z.string().trim().min(1).describe('As get_project_status shows it, e.g. c3.'),
      reason: reason.exactOptional(),
    }),
    readOnly: false,
  },
} as const;

export type ProjectToolName = keyof typeof projectToolDeclarations;

export const projectToolNames = Object.keys(projectToolDeclarations) as ProjectToolName[];

export type ProjectToolInput<Name extends ProjectToolName> = z.output<
  (typeof projectToolDeclarations)[Name]['parameters']
>;
