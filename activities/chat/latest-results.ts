import { desc, eq } from 'drizzle-orm';
import { fence } from '../../agents/fence.ts';
import type { Queryable } from '../../db/connection/database.ts';
import { messages } from '../../db/schema/runs.ts';
import { cutText } from '../../domain/storable-text.ts';

/** Latest results that are handed over, and characters of each: a tenth of a delegate's tokens together. */
const most = { results: 8, characters: 1_500 };

/**
 * What the tools of a run returned that its agent has not put into words, the latest first; empty if its last message is in words. For the agent that
 * delegated: what was found before a limit is paid for.
 */
export async function readLatestResults(query: Queryable, runId: string): Promise<string> {
  const latest = await query
    .select()
    .from(messages)
    .where(eq(messages.runId, runId))
    .orderBy(desc(messages.number))
    .limit(most.results * 4);
  const words = latest.findIndex(({ role, content }) => role === 'assistant' && content.text.trim() !== '');
  const results = latest
    .slice(0, words === -1 ? latest.length : words)
    .filter(({ role, content }) => role === 'tool' && content.text.trim() !== '')
    .slice(0, most.results);
  const texts = results.map(({ content: { text } }) =>
    text.length > most.characters ? `${cutText(text, most.characters)}…` : text,
  );
  return fence('what the tools of the delegated agent returned, the latest first', texts.join('\n\n'), '');
}
