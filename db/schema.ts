import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
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
import type { Proposal } from '../agents/proposal.ts';
import type { ConsolidationStatus, MemoryChangeKind, MemoryChangeStatus } from './consolidation/status.ts';
import type { ChatEventData, ProjectEventData } from './events/event.ts';
import type { FeatureVerification, ProjectSettings, StepResult } from './shapes.ts';
import type {
  Category,
  ExchangeStatus,
  FeatureStatus,
  ProjectStatus,
  RunStatus,
  SessionStatus,
  TaskStatus,
} from './statuses.ts';
import type { MessageContent, MessageRole } from './transcript/message.ts';

const createdAt = () => timestamp('created_at', { withTimezone: true }).notNull().defaultNow();
const endedAt = () => timestamp('ended_at', { withTimezone: true });
const count = (name: string) => integer(name).notNull().default(0);

/** Where a row stands in a project's lineage; such rows are only added, never changed by a later event. */
const inLineage = () => ({
  lineageId: text('lineage_id').notNull(),
  sequence: bigint('sequence', { mode: 'number' }).notNull(),
});

export const projects = pgTable(
  'projects',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    goal: text('goal').notNull(),
    folder: text('folder').notNull(),
    branch: text('branch').notNull(),
    status: text('status').$type<ProjectStatus>().notNull(),
    statusReason: text('status_reason'),
    settings: jsonb('settings').$type<ProjectSettings>().notNull(),
    summary: text('summary'),
    smokeCheck: text('smoke_check'),
    lineageId: text('lineage_id').notNull(),
    /** The last sequence number given to a row of this project, over all its lineages. */
    sequence: bigint('sequence', { mode: 'number' }).notNull().default(0),
    eventCount: bigint('event_count', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    endedAt: endedAt(),
  },
  (table) => [index('projects_folder').on(table.folder)],
);

/** What an initializer or a person proposed; written before the project's own row where a person brought it. */
export const proposals = pgTable('proposals', {
  projectId: text('project_id').primaryKey(),
  proposal: jsonb('proposal').$type<Proposal>().notNull(),
  createdAt: createdAt(),
});

export const lineages = pgTable('lineages', {
  id: text('id').primaryKey(),
  projectId: text('project_id')
    .notNull()
    .references(() => projects.id),
  parentId: text('parent_id'),
  /** The parent's rows up to and with this sequence number belong to this lineage too. */
  parentSequence: bigint('parent_sequence', { mode: 'number' }),
  checkpointId: text('checkpoint_id'),
  /** The ref that keeps the head which the revert left. */
  keptRef: text('kept_ref'),
  reason: text('reason'),
  createdAt: createdAt(),
});

/** For each lineage every ancestor, itself included, and the last sequence number that it takes from it. */
export const lineageRanges = pgTable(
  'lineage_ranges',
  {
    lineageId: text('lineage_id').notNull(),
    ancestorId: text('ancestor_id').notNull(),
    upToSequence: bigint('up_to_sequence', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.lineageId, table.ancestorId] })],
);

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
    /** True where a BLOCKED feature waits for a dependency rather than for its own attempts. */
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
    /** How the basis stood when the session began: set-up script and smoke check. */
    basis: jsonb('basis').$type<StepResult[]>(),
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
    /** Where in Temporal's history the checkpoint was made. */
    workflowId: text('workflow_id'),
    workflowRunId: text('workflow_run_id'),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('checkpoints_sequence').on(table.projectId, table.sequence)],
);

export const verifications = pgTable('verifications', {
  id: text('id').primaryKey(),
  projectId: text('project_id')
    .notNull()
    .references(() => projects.id),
  sessionId: text('session_id').notNull(),
  featureId: text('feature_id').notNull(),
  commit: text('commit').notNull(),
  passed: boolean('passed').notNull(),
  /** What failed, or how much passed. */
  reason: text('reason').notNull(),
  steps: jsonb('steps').$type<StepResult[]>().notNull(),
  createdAt: createdAt(),
});

/** A conversation with a person. */
export const chats = pgTable(
  'chats',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** The models that the person chose, tried in order, by commas; those of the role where absent. */
    model: text('model'),
    /** The run whose transcript the next message goes on with; null before the first. */
    headRunId: text('head_run_id'),
    /** The number of the last exchange. */
    exchangeCount: count('exchange_count'),
    eventCount: bigint('event_count', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    lastUsedAt: timestamp('last_used_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('chats_name').on(table.name)],
);

/** A run, and what it tells, is of a project or of a chat. */
const ofProjectOrChat = () => ({
  projectId: text('project_id').references(() => projects.id),
  chatId: text('chat_id').references(() => chats.id),
});

export const runs = pgTable(
  'runs',
  {
    id: text('id').primaryKey(),
    ...ofProjectOrChat(),
    sessionId: text('session_id'),
    /** The run that delegated to it; null for one that no run did. */
    parentId: text('parent_id').references((): AnyPgColumn => runs.id),
    /** The topmost of those that delegated to each other; null where that is itself. */
    rootId: text('root_id').references((): AnyPgColumn => runs.id),
    /** How many there are above it. */
    depth: count('depth'),
    role: text('role').notNull(),
    model: text('model').notNull(),
    status: text('status').$type<RunStatus>().notNull(),
    /** What the agent handed over, or why the run ended without it. */
    result: text('result'),
    turns: count('turns'),
    /** The number of the last message whose tool output the model is shown shortened; -1 for none. */
    shortenedUpTo: integer('shortened_up_to').notNull().default(-1),
    startedAt: timestamp('started_at', { withTimezone: true }).notNull().defaultNow(),
    endedAt: endedAt(),
  },
  (table) => [
    index('runs_project').on(table.projectId),
    index('runs_parent').on(table.parentId),
    index('runs_root').on(table.rootId),
    index('runs_chat').on(table.chatId),
    check('runs_owner', sql`num_nonnulls(${table.projectId}, ${table.chatId}) = 1`),
  ],
);

/** What a person said in a chat, and what came of it. */
export const exchanges = pgTable(
  'exchanges',
  {
    chatId: text('chat_id')
      .notNull()
      .references(() => chats.id),
    /** Chosen by who sent it, so that sending it again says nothing twice. */
    id: text('id').notNull(),
    /** Its place in the chat, from 1: they are answered in this order. */
    number: integer('number').notNull(),
    text: text('text').notNull(),
    status: text('status').$type<ExchangeStatus>().notNull(),
    /** Why there is no answer, or not all of one. */
    reason: text('reason'),
    /** The run that answers, and where in it the person's message and the first turn are; null while it waits. */
    runId: text('run_id').references(() => runs.id),
    messageNumber: integer('message_number'),
    turn: integer('turn'),
    createdAt: createdAt(),
    endedAt: endedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.chatId, table.id] }),
    uniqueIndex('exchanges_number').on(table.chatId, table.number),
  ],
);

export const messages = pgTable(
  'messages',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.id),
    number: integer('number').notNull(),
    turn: integer('turn').notNull(),
    role: text('role').$type<MessageRole>().notNull(),
    content: jsonb('content').$type<MessageContent>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.number] })],
);

/** What stands in for the older part of a run's conversation; the messages themselves stay. */
export const summaries = pgTable(
  'summaries',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.id),
    /** The last message that it stands for. */
    upToMessage: integer('up_to_message').notNull(),
    /** The first turn that was, or was to be, asked with it. */
    turn: integer('turn').notNull(),
    /** What the model wrote. */
    written: text('written').notNull(),
    /** What the agent is shown; null where it could not be used. */
    shown: text('shown'),
    /** Why it could not be used. */
    failure: text('failure'),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.upToMessage] })],
);

/** What a person said to an agent at work; delivered between two turns. */
export const interjections = pgTable(
  'interjections',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    /** Chosen by who sent it, so that sending it again says nothing twice. */
    id: text('id').notNull(),
    text: text('text').notNull(),
    /** The run that it is for; null for whichever is asked next. */
    forRunId: text('for_run_id').references(() => runs.id),
    /** The run that was told; null until then. */
    runId: text('run_id').references(() => runs.id),
    messageNumber: integer('message_number'),
    createdAt: createdAt(),
    deliveredAt: timestamp('delivered_at', { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('interjections_waiting').on(table.projectId).where(sql`${table.deliveredAt} is null`),
    index('interjections_run').on(table.runId),
  ],
);

/** What is to be done, as a person and the assistant agreed; it outlives the chat that it comes from. */
export const tasks = pgTable(
  'tasks',
  {
    /** Chosen by who creates it, so that a retry creates it once. */
    id: text('id').primaryKey(),
    /** What it is called by. */
    number: integer('number').generatedAlwaysAsIdentity(),
    /** Where it was created; null once that chat is deleted. */
    chatId: text('chat_id').references(() => chats.id),
    title: text('title').notNull(),
    description: text('description').notNull().default(''),
    status: text('status').$type<TaskStatus>().notNull(),
    /** From 1 to 10, which is the most urgent. */
    priority: integer('priority').notNull(),
    /** A day: `2026-03-01`. */
    due: text('due'),
    /** Numbers of the tasks that come first. */
    dependsOn: jsonb('depends_on').$type<number[]>().notNull().default([]),
    /** What was said when its status last changed. */
    note: text('note'),
    createdAt: createdAt(),
    changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('tasks_number').on(table.number), index('tasks_chat').on(table.chatId)],
);

/** One row a tool call; its arguments and result stand in the messages. */
export const toolCalls = pgTable(
  'tool_calls',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.id),
    turn: integer('turn').notNull(),
    position: integer('position').notNull(),
    name: text('name').notNull(),
    failed: boolean('failed'),
    resultHash: text('result_hash'),
    startedAt: timestamp('started_at', { withTimezone: true }).notNull().defaultNow(),
    endedAt: endedAt(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.turn, table.position] })],
);

export const usage = pgTable(
  'usage',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.id),
    turn: integer('turn').notNull(),
    /** The last message that the call summarized, before its turn; -1 for the call that answered the turn. */
    summaryUpTo: integer('summary_up_to').notNull().default(-1),
    model: text('model').notNull(),
    inputTokens: count('input_tokens'),
    cachedTokens: count('cached_tokens'),
    outputTokens: count('output_tokens'),
    /** Of the output. */
    reasoningTokens: count('reasoning_tokens'),
    /** By the prices of its day; null where the model has no price, which is not free. */
    costUsd: doublePrecision('cost_usd'),
    /** The activity's attempt that brought the answer, from 1. */
    attempt: integer('attempt').notNull().default(1),
    /** Milliseconds to the first piece of the answer. */
    firstTokenMs: integer('first_token_ms'),
    /** Milliseconds from request to the whole answer. */
    durationMs: integer('duration_ms').notNull(),
    /** The provider's id of the request. */
    requestId: text('request_id'),
  },
  (table) => [primaryKey({ columns: [table.runId, table.turn, table.summaryUpTo] })],
);

export const events = pgTable(
  'events',
  {
    ...ofProjectOrChat(),
    number: bigint('number', { mode: 'number' }).notNull(),
    data: jsonb('data').$type<ProjectEventData | ChatEventData>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('events_project').on(table.projectId, table.number),
    uniqueIndex('events_chat').on(table.chatId, table.number),
    check('events_owner', sql`num_nonnulls(${table.projectId}, ${table.chatId}) = 1`),
  ],
);

/** A look through the memories for what repeats and what could be summarized. */
export const consolidations = pgTable('memory_consolidations', {
  /** Chosen by its workflow. */
  id: text('id').primaryKey(),
  /** The project whose memories it was for; null for all. */
  projectId: text('project_id'),
  /** It only proposes. */
  dryRun: boolean('dry_run').notNull(),
  /** Memories that were written since are looked at; null for all. */
  since: timestamp('since', { withTimezone: true }),
  workflowId: text('workflow_id').notNull(),
  workflowRunId: text('workflow_run_id').notNull(),
  status: text('status').$type<ConsolidationStatus>().notNull().default('running'),
  /** Why it failed, or what it had to leave out. */
  remark: text('remark'),
  looked: count('looked'),
  createdAt: createdAt(),
  endedAt: endedAt(),
});

/** What a consolidation changes in the memories, or proposes to. The memories themselves are in LanceDB. */
export const memoryChanges = pgTable(
  'memory_changes',
  {
    /** Made from what it is about, so that it is found again by whoever comes upon the same. */
    id: text('id').primaryKey(),
    consolidationId: text('consolidation_id')
      .notNull()
      .references(() => consolidations.id),
    kind: text('kind').$type<MemoryChangeKind>().notNull(),
    status: text('status').$type<MemoryChangeStatus>().notNull(),
    /** The memory that stays, or the summary's. */
    memoryId: text('memory_id').notNull(),
    /** The memories that it takes the place of, or sums up. */
    sources: text('sources').array().notNull(),
    /** Those of the sources' tags that the memory that stays had not. */
    tagsAdded: text('tags_added').array().notNull().default([]),
    /** The summary, and the model that wrote it. */
    text: text('text'),
    model: text('model'),
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    costUsd: doublePrecision('cost_usd'),
    /** The summary takes the place of its sources. */
    replaces: boolean('replaces').notNull().default(false),
    createdAt: createdAt(),
    /** When it came to its status. */
    changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index('memory_changes_consolidation').on(table.consolidationId, table.status),
    index('memory_changes_memory').on(table.memoryId),
    index('memory_changes_sources').using('gin', table.sources),
  ],
);
