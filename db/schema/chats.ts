import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ChatAgent } from '../shapes.ts';
import type { TaskStatus } from '../statuses.ts';
import { count, createdAt } from './columns.ts';

/** A conversation with a person. */
export const chats = pgTable(
  'chats',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** The models that the person chose, tried in order, by commas; those of the role where absent. */
    model: text('model'),
    /** The agent of one's own that answers from the next message on; the assistant that ships where absent. */
    agent: jsonb('agent').$type<ChatAgent>(),
    /** The run whose transcript the next message goes on with; null before the first. */
    headRunId: text('head_run_id'),
    /** False for a conversation that leaves no trace beyond its transcript: it recalls and learns nothing. */
    memory: boolean('memory').notNull().default(true),
    /** The number of the last exchange. */
    exchangeCount: count('exchange_count'),
    eventCount: bigint('event_count', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    lastUsedAt: timestamp('last_used_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('chats_name').on(table.name)],
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
