import { and, count, eq } from 'drizzle-orm';
import { type Cut, unknownMessage } from '../../domain/stores/rules/message-rules.ts';
import { chats } from '../schema/chats.ts';
import { runs } from '../schema/runs.ts';
import type { ChatRow, ChatTransaction } from './chat-transaction.ts';
import { copyRun } from './copy-run.ts';
import { cancelExtractions } from './extractions.ts';

/**
 * Begins a branch that holds the current one's messages before a cut, or those of another run, and makes it the current one. What was said since
 * stays in the branch it was said in.
 */
export async function beginBranch(
  { query, chat }: ChatTransaction,
  { number, turn, runId = chat.headRunId ?? undefined }: Cut & { runId?: string },
): Promise<ChatRow> {
  if (runId === undefined) throw unknownMessage(number);
  const headRunId = `${chat.id}-${await nextBranchName({ query, chat })}`;
  await copyRun(query, { runId, messageNumber: number, turn }, { id: headRunId, chatId: chat.id, isBranch: true });
  await cancelExtractions(query, { chatId: chat.id, headRunId });
  await query.update(chats).set({ headRunId }).where(eq(chats.id, chat.id));
  return { ...chat, headRunId };
}

async function nextBranchName({ query, chat }: Pick<ChatTransaction, 'query' | 'chat'>): Promise<string> {
  const [row] = await query
    .select({ count: count() })
    .from(runs)
    .where(and(eq(runs.chatId, chat.id), eq(runs.role, 'chat')));
  return `r${(row?.count ?? 0) + 1}`;
}
