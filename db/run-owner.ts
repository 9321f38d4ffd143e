import { addToChat, type ChatWriter } from './chats/chat-transaction.ts';
import type { Database } from './database.ts';
import { addToProject, type ProjectWriter } from './project-transaction.ts';

/** Whose run it is: a project's or a chat's. */
export type RunOwner = { projectId: string; chatId?: undefined } | { chatId: string; projectId?: undefined };

/** A transaction that adds rows to a run, and so to whose it is. */
export type RunWriter = ProjectWriter | ChatWriter;

/**
 * Adds rows to a run in one transaction. The work begins with `tell`, whose lock makes the transactions of one project or chat follow
 * one another; statements that it starts together share a round trip.
 */
export async function addToOwner<Result>(
  database: Database,
  owner: RunOwner,
  work: (writer: RunWriter) => Promise<Result>,
): Promise<Result> {
  return owner.chatId === undefined
    ? addToProject(database, owner.projectId, work)
    : addToChat(database, owner.chatId, work);
}

export function ownerId({ projectId, chatId }: RunOwner): string {
  return chatId ?? projectId;
}

/**
 * Of runs whose role only a project has.
 * @throws where it is a chat's.
 */
export function expectProjectId({ projectId, chatId }: RunOwner): string {
  if (projectId !== undefined) return projectId;
  throw new Error(`Expected the run of a project, got one of the chat ${chatId}.`);
}

/** The same of a transaction. */
export function expectProjectWriter(writer: RunWriter): ProjectWriter {
  if ('projectId' in writer) return writer;
  throw new Error(`Expected the transaction of a project, got one of the chat ${writer.chatId}.`);
}
