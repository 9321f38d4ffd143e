import { boolean, customType, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { FolderFacts, TransferRequest, TransferResult } from '../../domain/chat/files.ts';
import { chats } from './chats.ts';
import { createdAt } from './columns.ts';

const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
});

/** Requests for files of a chat's sandbox, until the client has read the outcome. */
export const fileTransfers = pgTable('file_transfers', {
  /** Chosen by the client, so that the chat's workflow does it once. */
  id: text('id').primaryKey(),
  chatId: text('chat_id')
    .notNull()
    .references(() => chats.id, { onDelete: 'cascade' }),
  request: jsonb('request').$type<TransferRequest>().notNull(),
  /** Null until it is done. */
  result: jsonb('result').$type<TransferResult>(),
  createdAt: createdAt(),
});

/** Files on their way into or out of a sandbox. */
export const transferredFiles = pgTable(
  'transferred_files',
  {
    transferId: text('transfer_id')
      .notNull()
      .references(() => fileTransfers.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    executable: boolean('executable').notNull(),
    link: text('link'),
    content: bytes('content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.transferId, table.path] })],
);

/** Pictures of a chat's messages, each once. */
export const chatImages = pgTable(
  'chat_images',
  {
    chatId: text('chat_id')
      .notNull()
      .references(() => chats.id, { onDelete: 'cascade' }),
    /** SHA-256. */
    hash: text('hash').notNull(),
    content: bytes('content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chatId, table.hash] })],
);

/** The folder that a chat works on a copy of. */
export const chatFolders = pgTable('chat_folders', {
  chatId: text('chat_id')
    .primaryKey()
    .references(() => chats.id, { onDelete: 'cascade' }),
  /** Its absolute path on the machine of the person's client. */
  folder: text('folder').notNull(),
  /** The id of the copy in the sandbox. */
  copy: text('copy').notNull(),
  /** What the copy is compared with: the files as they were copied, or as they were last written to the folder. */
  base: jsonb('base').$type<FolderFacts>().notNull(),
  /** Its files with standing instructions, as they were copied: texts by path. */
  instructions: jsonb('instructions').$type<Record<string, string>>().notNull().default({}),
});
