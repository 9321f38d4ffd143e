import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { MessageImage } from '../../domain/chat/images.ts';
import type { MemoryExtraction } from '../../domain/memory/extraction.ts';
import type { RunAgent } from '../../domain/project/settings.ts';
import type { ExchangeStatus, RunStatus } from '../../domain/project/statuses.ts';
import type { AgentRuntimeEventData, ChatEventData, ProjectEventData } from '../../domain/run/event.ts';
import type { MessageContent, MessageRole } from '../../domain/run/message.ts';
import { agentRuns } from './agent-runs.ts';
import { chats } from './chats.ts';
import { count, createdAt, endedAt } from './columns.ts';
import { projects } from './projects.ts';

/** A run, its events and its requests belong to a project, a chat or a run of a user's own agent. */
export const ofOwner = () => ({
  projectId: text('project_id').references(() => projects.id),
  chatId: text('chat_id').references(() => chats.id),
  agentRunId: text('agent_run_id').references(() => agentRuns.id),
});

export const runs = pgTable(
  'runs',
  {
    id: text('id').primaryKey(),
    ...ofOwner(),
    sessionId: text('session_id'),
    /** The run that delegated to it; null if none did. */
    parentId: text('parent_id').references((): AnyPgColumn => runs.id),
    /** The topmost run of the chain of delegation; null for the topmost itself. */
    rootId: text('root_id').references((): AnyPgColumn => runs.id),
    /** Number of runs above it. */
    depth: count('depth'),
    /** In a chat: the run that it is another branch of, and the message number before which its messages are copies of that run's. */
    continuesId: text('continues_id').references((): AnyPgColumn => runs.id),
    continuesBefore: integer('continues_before'),
    role: text('role').notNull(),
    model: text('model').notNull(),
    status: text('status').$type<RunStatus>().notNull(),
    /** What the agent submitted, or why the run ended without it. */
    result: text('result'),
    turns: count('turns'),
    /** Number of the last message whose tool output is shortened for the model; -1 for none. */
    shortenedUpTo: integer('shortened_up_to').notNull().default(-1),
    /** The first turn for which that applies; token counts of earlier turns refer to more text. */
    shortenedAtTurn: integer('shortened_at_turn').notNull().default(0),
    /** Versions of made tools that are offered to its model: fixed when answering a message begins, and extended when it makes one itself. */
    madeTools: jsonb('made_tools').$type<string[]>().notNull().default([]),
    /** The agent that answers, as it was when answering the latest message began; null if it has always been the assistant. */
    agent: jsonb('agent').$type<RunAgent>(),
    startedAt: timestamp('started_at', { withTimezone: true }).notNull().defaultNow(),
    endedAt: endedAt(),
  },
  (table) => [
    index('runs_project').on(table.projectId),
    index('runs_parent').on(table.parentId),
    index('runs_root').on(table.rootId),
    index('runs_chat').on(table.chatId),
    uniqueIndex('runs_agent_run').on(table.agentRunId),
    check('runs_owner', sql`num_nonnulls(${table.projectId}, ${table.chatId}, ${table.agentRunId}) = 1`),
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
  (table) => [
    primaryKey({ columns: [table.runId, table.number] }),
    uniqueIndex('messages_id').on(table.runId, sql`(${table.content}->>'id')`).where(sql`${table.content} ? 'id'`),
  ],
);

/** What replaces the older part of a run's conversation for the model; the messages themselves stay. */
export const summaries = pgTable(
  'summaries',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.id),
    /** The last message that it replaces. */
    upToMessage: integer('up_to_message').notNull(),
    /** The first turn that uses it. */
    turn: integer('turn').notNull(),
    /** What the model wrote. */
    written: text('written').notNull(),
    /** What the agent is shown; null if it could not be used. */
    shown: text('shown'),
    /** Why it could not be used. */
    failure: text('failure'),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.upToMessage] })],
);

/** One row per tool call; its arguments and result are in the messages. */
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

export const events = pgTable(
  'events',
  {
    ...ofOwner(),
    number: bigint('number', { mode: 'number' }).notNull(),
    data: jsonb('data').$type<ProjectEventData | ChatEventData | AgentRuntimeEventData>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('events_project').on(table.projectId, table.number),
    uniqueIndex('events_chat').on(table.chatId, table.number),
    uniqueIndex('events_agent_run').on(table.agentRunId, table.number),
    check('events_owner', sql`num_nonnulls(${table.projectId}, ${table.chatId}, ${table.agentRunId}) = 1`),
  ],
);

/** What a person said with `steer` to a running agent; delivered between two of its turns. */
export const steeringMessages = pgTable(
  'steering_messages',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    /** Chosen by the sender, so that sending it again does not repeat it. */
    id: text('id').notNull(),
    text: text('text').notNull(),
    /** The run it is addressed to; null for the one that takes the next turn. */
    forRunId: text('for_run_id').references(() => runs.id),
    /** The run that received it; null until then. */
    runId: text('run_id').references(() => runs.id),
    messageNumber: integer('message_number'),
    createdAt: createdAt(),
    deliveredAt: timestamp('delivered_at', { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('steering_messages_waiting').on(table.projectId).where(sql`${table.deliveredAt} is null`),
    index('steering_messages_run').on(table.runId),
  ],
);

/** What a person said in a chat, and its outcome. */
export const exchanges = pgTable(
  'exchanges',
  {
    chatId: text('chat_id')
      .notNull()
      .references(() => chats.id),
    /** Chosen by the sender, so that sending it again does not repeat it. */
    id: text('id').notNull(),
    /** Its place in the chat, from 1; messages are answered in this order, except for urgent ones. */
    number: integer('number').notNull(),
    text: text('text').notNull(),
    /** The pictures that came with it. */
    images: jsonb('images').$type<MessageImage[]>(),
    status: text('status').$type<ExchangeStatus>().notNull(),
    /** Why there is no answer, or only a part of one. */
    reason: text('reason'),
    /** The run that answers, and where in it the person's message and the first turn are; null while it waits. */
    runId: text('run_id').references(() => runs.id),
    messageNumber: integer('message_number'),
    turn: integer('turn'),
    /** What was kept of it beyond the conversation; null if no memories are to be extracted. */
    extraction: jsonb('extraction').$type<MemoryExtraction>(),
    createdAt: createdAt(),
    endedAt: endedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.chatId, table.id] }),
    uniqueIndex('exchanges_number').on(table.chatId, table.number),
    index('exchanges_open').on(table.chatId, table.number).where(sql`${table.status} in ('RUNNING', 'WAITING')`),
    index('exchanges_to_extract')
      .on(table.chatId, table.number)
      .where(sql`${table.extraction}->>'status' in ('DUE', 'ASKED')`),
  ],
);
