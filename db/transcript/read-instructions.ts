import { and, eq, gt, sql } from 'drizzle-orm';
import type { MessageContent } from '../../domain/run/message.ts';
import type { Queryable } from '../connection/database.ts';
import { messages } from '../schema/runs.ts';
import { readSummaries } from './summaries.ts';
import { findRun } from './transcript.ts';

/** The commit and the folders whose standing instructions a run began with; undefined if it works in no repository. */
export async function findInstructions(query: Queryable, runId: string): Promise<MessageContent['instructions']> {
  const [first] = await query
    .select({ instructions: sql<MessageContent['instructions'] | null>`${messages.content}->'instructions'` })
    .from(messages)
    .where(and(eq(messages.runId, runId), eq(messages.number, 0)));
  return first?.instructions ?? undefined;
}

/** The folders whose standing instructions a run's model still sees whole: those in results that were neither shortened nor summarized. */
export async function readGivenFolders(query: Queryable, runId: string): Promise<Set<string>> {
  const [run, summaries] = await Promise.all([findRun(query, runId), readSummaries(query, runId)]);
  const summarized = summaries.findLast(({ shown }) => shown !== null)?.upToMessage ?? -1;
  const rows = await query
    .select({ folders: sql<string[]>`${messages.content}->'instructionsOf'` })
    .from(messages)
    .where(
      and(
        eq(messages.runId, runId),
        gt(messages.number, Math.max(run?.shortenedUpTo ?? -1, summarized)),
        sql`${messages.content} ? 'instructionsOf'`,
      ),
    );
  return new Set(rows.flatMap(({ folders }) => folders));
}
