import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { DecisionOutcome } from '../../domain/project/decision-feedback.ts';
import type { ProposedChecks } from '../../domain/project/proposal.ts';
import type { FeatureVerification, StepResult } from '../../domain/project/settings.ts';
import type { Category, FeatureStatus, SessionStatus, VerificationPurpose } from '../../domain/project/statuses.ts';
import type { MutantCounts } from '../../domain/verification/mutants.ts';
import type { RequestedChange } from '../../domain/verification/requested-change.ts';
import { count, createdAt, endedAt, inLineage } from './columns.ts';
import { projects } from './projects.ts';

export const features = pgTable(
  'features',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    name: text('name').notNull(),
    position: integer('position').notNull(),
    description: text('description').notNull(),
    category: text('category').$type<Category>().notNull(),
    priority: integer('priority').notNull(),
    verification: jsonb('verification').$type<FeatureVerification>().notNull(),
    ...inLineage(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('features_name').on(table.projectId, table.name)],
);

export const featureDependencies = pgTable(
  'feature_dependencies',
  {
    featureId: text('feature_id')
      .notNull()
      .references(() => features.id),
    dependsOnId: text('depends_on_id')
      .notNull()
      .references(() => features.id),
  },
  (table) => [primaryKey({ columns: [table.featureId, table.dependsOnId] })],
);

export const featureChanges = pgTable(
  'feature_changes',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    ...inLineage(),
    featureId: text('feature_id')
      .notNull()
      .references(() => features.id),
    fromStatus: text('from_status').$type<FeatureStatus>(),
    status: text('status').$type<FeatureStatus>().notNull(),
    /** Attempts that ended without a pass, after this change. */
    attempts: integer('attempts').notNull(),
    /** Whether a BLOCKED feature waits for a dependency, rather than having used up its own attempts. */
    blockedByDependency: boolean('blocked_by_dependency').notNull().default(false),
    reason: text('reason'),
    lesson: text('lesson'),
    sessionId: text('session_id'),
    commit: text('commit'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.sequence] }),
    index('feature_changes_feature').on(table.featureId, table.sequence),
  ],
);

/** The verifications with which a person or an agent replaced those of the plan. */
export const changedChecks = pgTable(
  'changed_checks',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    ...inLineage(),
    featureId: text('feature_id')
      .notNull()
      .references(() => features.id),
    verification: jsonb('verification').$type<FeatureVerification>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.sequence] })],
);

export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    number: integer('number').notNull(),
    featureId: text('feature_id')
      .notNull()
      .references(() => features.id),
    attempt: integer('attempt').notNull(),
    status: text('status').$type<SessionStatus>().notNull(),
    reason: text('reason'),
    baseCommit: text('base_commit'),
    commit: text('commit'),
    /** The state of the base when the session began: set-up script and smoke check. */
    basis: jsonb('basis').$type<StepResult[]>(),
    /** What its agent proposes for a verification that is not enough. */
    proposedChecks: jsonb('proposed_checks').$type<ProposedChecks>(),
    /** What its agent asks to change, of what a session must not change. */
    requestedChange: jsonb('requested_change').$type<RequestedChange>(),
    ...inLineage(),
    startedAt: timestamp('started_at', { withTimezone: true }).notNull().defaultNow(),
    endedAt: endedAt(),
  },
  (table) => [index('sessions_project').on(table.projectId, table.number)],
);

export const decisions = pgTable(
  'decisions',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    ...inLineage(),
    sessionId: text('session_id'),
    runId: text('run_id'),
    title: text('title').notNull(),
    context: text('context').notNull(),
    choice: text('choice').notNull(),
    reasoning: text('reasoning').notNull(),
    tags: jsonb('tags').$type<string[]>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('decisions_project').on(table.projectId, table.sequence)],
);

/** What came of decisions; of several outcomes of one decision, the latest counts. */
export const decisionOutcomes = pgTable(
  'decision_outcomes',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    ...inLineage(),
    decisionId: text('decision_id')
      .notNull()
      .references(() => decisions.id),
    outcome: text('outcome').$type<DecisionOutcome>().notNull(),
    score: doublePrecision('score').notNull(),
    lesson: text('lesson'),
    createdAt: createdAt(),
  },
  (table) => [index('decision_outcomes_project').on(table.projectId, table.sequence)],
);

export const progress = pgTable(
  'progress',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    ...inLineage(),
    sessionId: text('session_id'),
    featureId: text('feature_id'),
    action: text('action').notNull(),
    outcome: text('outcome').notNull(),
    filesChanged: jsonb('files_changed').$type<string[]>().notNull().default([]),
    commit: text('commit'),
    tokens: count('tokens'),
    createdAt: createdAt(),
  },
  (table) => [index('progress_project').on(table.projectId, table.sequence)],
);

export const checkpoints = pgTable(
  'checkpoints',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    ...inLineage(),
    commit: text('commit').notNull(),
    title: text('title').notNull(),
    sessionId: text('session_id'),
    featureId: text('feature_id'),
    /** Where in Temporal's history the checkpoint was created. */
    workflowId: text('workflow_id'),
    workflowRunId: text('workflow_run_id'),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('checkpoints_sequence').on(table.projectId, table.sequence)],
);

export const verifications = pgTable(
  'verifications',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    sessionId: text('session_id').notNull(),
    featureId: text('feature_id').notNull(),
    /** Its place in the chain of the project's verdicts, from 1; see `Evidence`. */
    number: integer('number').notNull(),
    previous: text('previous'),
    hash: text('hash').notNull(),
    /** Hash of the feature's verification. */
    checks: text('checks').notNull(),
    commit: text('commit').notNull(),
    /** The id of the sandbox's image; null if nothing ran. */
    image: text('image'),
    purpose: text('purpose').$type<VerificationPurpose>().notNull(),
    passed: boolean('passed').notNull(),
    /** What failed, or how much passed. */
    reason: text('reason').notNull(),
    steps: jsonb('steps').$type<StepResult[]>().notNull(),
    /** What the checks noticed of mistakes in the work; null if none was tried. */
    mutants: jsonb('mutants').$type<MutantCounts>(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('verifications_number').on(table.projectId, table.number)],
);
