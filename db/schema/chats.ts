import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ChatAgent } from '../../domain/project/settings.ts';
import type { TaskStatus } from '../../domain/stores/tasks.ts';
import { count, createdAt } from './columns.ts';

/** A conversation with a person. */
export const chats = pgTable(
  'chats',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** Whom and which project it belongs to; null for none in particular. */
    person: text('person'),
    projectId: text('project_id'),
    /** The chat that it was forked from, which may have been deleted. */
    parentId: text('parent_id'),
    /** The models that the person chose, comma-separated, tried in order; null for those of the role. */
    model: text('model'),
    /** The custom agent that answers from the next message on; null for the built-in assistant. */
    agent: jsonb('agent').$type<ChatAgent>(),
    /** The run whose transcript the next message continues; null before the first. */
    headRunId: text('head_run_id'),
    /** False for a conversation that leaves no trace beyond its transcript: it recalls and learns nothing. */
    memory: boolean('memory').notNull().default(true),
    /** Number of the last exchange. */
    exchangeCount: count('exchange_count'),
    eventCount: bigint('event_count', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    lastUsedAt: timestamp('last_used_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('chats_name').on(table.name),
    index('chats_person').on(table.person),
    index('chats_project').on(table.projectId),
  ],
);

/** Chats that were deleted and may have left something outside the database: files, pictures, memories. */
export const deletedChats = pgTable('deleted_chats', {
  id: text('id').primaryKey(),
});

/** What is to be done, as agreed between a person and the assistant; outlives the chat in which it was created. */
export const tasks = pgTable(
  'tasks',
  {
    /** Chosen by the creator, so that a retry creates it only once. */
    id: text('id').primaryKey(),
    /** The number by which it is referred to. */
    number: integer('number').generatedAlwaysAsIdentity(),
    /** Where it was created; null once that chat has been deleted. */
    chatId: text('chat_id').references(() => chats.id),
    /** Whom and which project it belongs to; null for none in particular. */
    person: text('person'),
    projectId: text('project_id'),
    title: text('title').notNull(),
    description: text('description').notNull().default(''),
    status: text('status').$type<TaskStatus>().notNull(),
    /** From 1 to 10, the most urgent. */
    priority: integer('priority').notNull(),
    /** A day: `2026-03-01`. */
    due: text('due'),
    /** Numbers of the tasks that have to be done first. */
    dependsOn: jsonb('depends_on').$type<number[]>().notNull().default([]),
    /** What was said when its status last changed. */
    note: text('note'),
    /** How often it was begun, and why the last attempt failed. */
    attempts: count('attempts'),
    lastError: text('last_error'),
    /** What an attempt left for the next one, as JSON; in text, since `jsonb` refuses some characters and reorders keys. */
    checkpoint: text('checkpoint'),
    checkpointAt: timestamp('checkpoint_at', { withTimezone: true }),
    createdAt: createdAt(),
    changedAt: timestamp('changed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('tasks_number').on(table.number), index('tasks_chat').on(table.chatId)],
);
