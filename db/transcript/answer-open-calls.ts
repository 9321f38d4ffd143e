import { and, desc, eq, gte } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { messages } from '../schema/runs.ts';
import { insertMessage } from './transcript.ts';

/**
 * Gives each call of a run's last answer that has no result one that says why; no model takes a conversation without it. With `from`, only
 * where that answer is of the turn or of a later one.
 */
export async function answerOpenCalls(query: Queryable, runId: string, reason: string, from = 0): Promise<void> {
  const [asked] = await query
    .select()
    .from(messages)
    .where(and(eq(messages.runId, runId), gte(messages.turn, from), eq(messages.role, 'assistant')))
    .orderBy(desc(messages.number))
    .limit(1);
  const calls = asked?.content.toolCalls ?? [];
  if (!asked || !calls.length) return;
  const results = calls.map(({ id }, position) => ({
    ...{ runId, number: asked.number + 1 + position, turn: asked.turn, role: 'tool' as const },
    content: { text: `Not done. ${reason}`, toolCallId: id },
  }));
  await insertMessage(query, ...results).onConflictDoNothing();
}
