import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Message } from '../../domain/run/message.ts';
import { messages } from '../schema/runs.ts';

/**
 * Joins the pieces of each answer that broke off at its limit of tokens and goes on in the next message, as people read it. The joined message has
 * the place and the calls of the last piece.
 */
export function wholeAnswers<Said extends Piece>(said: Said[]): Said[] {
  const whole: Said[] = [];
  for (const message of said) {
    const piece = whole.at(-1);
    if (piece === undefined || !goesOn(piece, message)) {
      whole.push(message);
      continue;
    }
    const text = piece.content.text + message.content.text;
    whole[whole.length - 1] = { ...message, content: { ...message.content, text } };
  }
  return whole;
}

type Piece = Pick<Message, 'number' | 'role' | 'content'>;

function goesOn({ number, role, content }: Piece, next: Piece): boolean {
  const hasCalls = content.toolCalls !== undefined && content.toolCalls.length > 0;
  const isNext = next.role === 'assistant' && next.number === number + 1;
  return role === 'assistant' && isNext && content.cutOff === true && !hasCalls;
}

/**
 * What the agent said last in the messages of a run from the one numbered `from` on and before the one numbered `before`, all pieces of it; empty if
 * it said nothing.
 */
export function lastWords(runId: SQLWrapper, from: SQLWrapper, before: SQLWrapper): SQL<string> {
  const inRun = (message: SQL) =>
    sql`${message}.run_id = ${runId} and ${message}.number >= ${from} and ${message}.turn <> 0`;
  const last = sql`(select max(words.number) from ${messages} words
    where ${inRun(sql`words`)} and words.number < ${before} and words.role = 'assistant' and words.content->>'text' ~ '\\S')`;
  const other = sql`(select max(other.number) from ${messages} other
    where ${inRun(sql`other`)} and other.number < ${last}
      and (other.role <> 'assistant' or other.content->>'cutOff' is distinct from 'true'))`;
  return sql<string>`coalesce((select string_agg(piece.content->>'text', '' order by piece.number) from ${messages} piece
    where ${inRun(sql`piece`)} and piece.number <= ${last} and piece.number > coalesce(${other}, -1)), '')`;
}
