import { z } from 'zod';
import { decisionOutcomes } from '../../domain/project/decision-feedback.ts';
import { addedChecks, featureSchema } from '../../domain/project/proposal.ts';
import { projectStatuses } from '../../domain/project/statuses.ts';

const project = z.string().trim().min(1).describe('Id or name.');
const feature = z.string().trim().min(1).describe('Name.');
const reason = z.string().trim().min(1).max(2000);

/** What `update_feature_status` can be asked for. */
const requestedStatuses = ['passing', 'failing', 'blocked', 'not_started'] as const;

/** Tools with which an agent drives projects: those of a chat, and those that `longhaul mcp` serves. */
export const projectToolDeclarations = {
  create_long_running_project: {
    description:
      'Starts a project, only if the person wants one: agents plan a goal as features and work on them for hours or days, which costs far more than an answer.',
    parameters: z.object({
      goal: z.string().trim().min(1).max(50_000).describe('What to build, for whom, and how to see that it works.'),
      name: z.string().trim().min(1).max(80).exactOptional().describe('A few words.'),
    }),
    readOnly: false,
  },
  list_long_running_projects: {
    description: 'Lists projects, the newest first.',
    parameters: z.object({
      status: z.enum(projectStatuses).exactOptional().describe('Only these.'),
      limit: z.number().int().min(1).max(100).exactOptional().describe('Default 20.'),
    }),
    readOnly: true,
  },
  get_project_status: {
    description: 'Shows how a project stands, with its checkpoints and what waits for a person.',
    parameters: z.object({ project }),
    readOnly: true,
  },
  list_project_features: {
    description: 'Lists the features of a project: status, dependencies, verification.',
    parameters: z.object({ project }),
    readOnly: true,
  },
  get_project_progress_log: {
    description: 'Shows the latest entries of the progress log of a project.',
    parameters: z.object({
      project,
      limit: z.number().int().min(1).max(200).exactOptional().describe('Default 20.'),
    }),
    readOnly: true,
  },
  get_next_feature_to_work_on: {
    description: 'Shows the feature that is next, with its verification and what was learned about it.',
    parameters: z.object({ project }),
    readOnly: true,
  },
  add_project_feature: {
    description:
      'Adds a feature to a planned project; Longhaul runs its verification, which must fail before the work and pass after it.',
    parameters: z.object({
      project,
      ...featureSchema.omit({ verification: true }).shape,
      verification: addedChecks,
    }),
    readOnly: false,
  },
  update_feature_status: {
    description:
      "Asks for a status of a feature: `passing` has Longhaul verify the project's folder as it is and returns the verdict, `failing` and `blocked` need a reason, `not_started` unblocks.",
    parameters: z.object({
      project,
      feature,
      status: z.enum(requestedStatuses),
      reason: reason.exactOptional().describe('Why, for whoever works on it next.'),
    }),
    readOnly: false,
  },
  log_project_progress: {
    description: 'Adds a note to the progress log of a project; its sessions read it first.',
    parameters: z.object({ project, note: z.string().trim().min(1).max(2000) }),
    readOnly: false,
  },
  record_project_decision: {
    description: 'Records a decision that later sessions of a project must know.',
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
    description: 'Lists the decisions of a project and what came of them.',
    parameters: z.object({
      project,
      limit: z.number().int().min(1).max(100).exactOptional().describe('Default 20.'),
    }),
    readOnly: true,
  },
  record_decision_outcome: {
    description: 'Records what came of a decision, which sessions that recall it read.',
    parameters: z.object({
      project,
      decision: z.string().trim().min(1).describe('Id.'),
      outcome: z.enum(decisionOutcomes),
      score: z.number().min(-1).max(1).describe('From -1 (harm) to 1 (right).'),
      lesson: z.string().trim().min(1).max(2000).exactOptional().describe('What to do like it, or otherwise.'),
    }),
    readOnly: false,
  },
  pause_project: {
    description: 'Pauses a project; work in flight finishes and is kept, or stops at once with `now`.',
    parameters: z.object({ project, reason: reason.exactOptional(), now: z.boolean().exactOptional() }),
    readOnly: false,
  },
  resume_project: {
    description: 'Continues a project that is paused, waits or has ended; its agents then work, which costs money.',
    parameters: z.object({ project }),
    readOnly: false,
  },
  abandon_project: {
    description: 'Ends a project and stops its work; everything stays readable.',
    parameters: z.object({ project, reason: reason.exactOptional() }),
    readOnly: false,
  },
  revert_project: {
    description: 'Moves a project (branch, features, decisions, memories) back to a checkpoint and pauses it.',
    parameters: z.object({
      project,
      checkpoint: z.string().trim().min(1).describe('Such as c3.'),
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
