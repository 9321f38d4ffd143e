import { and, desc, eq, gte } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { messages } from '../schema/runs.ts';
import { insertMessage } from './transcript.ts';

/**
 * Adds a result saying why to each unanswered call of a run's last answer, since no model accepts a conversation without one. With `from`, only if
 * that answer belongs to this turn or a later one.
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
    content: { text: `Not executed. ${reason}`, toolCallId: id },
  }));
  await insertMessage(query, ...results).onConflictDoNothing();
}
