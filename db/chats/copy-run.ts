import { and, eq, lt, sql } from 'drizzle-orm';
import type { Queryable } from '../connection/database.ts';
import { messages, runs, summaries, toolCalls } from '../schema/runs.ts';

export interface RunCopy {
  id: string;
  chatId: string;
  /** Whether it is another branch of the copied run. */
  isBranch: boolean;
}

/**
 * Adds a run to a chat that begins with a copy of what another run said before a turn. The copy is self-contained, since the other run may be
 * deleted. A later note is copied too, since it still applies. The usage of the calls is not copied, since it was paid once.
 */
export async function copyRun(
  query: Queryable,
  { runId, messageNumber, turn }: { runId: string; messageNumber: number; turn: number },
  { id, chatId, isBranch }: RunCopy,
): Promise<void> {
  await query.execute(sql`
    insert into ${runs} (id, chat_id, continues_id, continues_before, role, model, status, turns, shortened_up_to, shortened_at_turn, made_tools, agent)
    select ${id}::text, ${chatId}::text, ${isBranch ? runId : null}::text, ${isBranch ? messageNumber : null}::int,
      role, model, 'RUNNING', ${turn - 1}::int, least(shortened_up_to, ${messageNumber - 1}::int),
      least(shortened_at_turn, ${turn}::int), made_tools, agent
    from ${runs} where id = ${runId}`);
  const newId = sql<string>`${id}::text`.as('run_id');
  const { number, turn: ofTurn, role, content, createdAt } = messages;
  await query.insert(messages).select(
    query
      .select({ runId: newId, number, turn: ofTurn, role, content, createdAt })
      .from(messages)
      .where(and(eq(messages.runId, runId), lt(number, messageNumber))),
  );
  await query.execute(sql`
    insert into ${messages} (run_id, number, turn, role, content, created_at)
    select ${id}::text, ${messageNumber}::int, ${Math.max(1, turn - 1)}::int, role, content, created_at from ${messages}
    where run_id = ${runId} and number >= ${messageNumber} and content ? 'isNote' order by number desc limit 1`);
  const { upToMessage, turn: since, written, shown, failure } = summaries;
  await query.insert(summaries).select(
    query
      .select({ runId: newId, upToMessage, turn: since, written, shown, failure, createdAt: summaries.createdAt })
      .from(summaries)
      .where(and(eq(summaries.runId, runId), lt(upToMessage, messageNumber), lt(since, turn))),
  );
  const { position, name, failed, resultHash, startedAt, endedAt } = toolCalls;
  await query.insert(toolCalls).select(
    query
      .select({ runId: newId, turn: toolCalls.turn, position, name, failed, resultHash, startedAt, endedAt })
      .from(toolCalls)
      .where(and(eq(toolCalls.runId, runId), lt(toolCalls.turn, turn))),
  );
}
