import { and, asc, eq, isNull, max, ne, or, type SQL } from 'drizzle-orm';
import { preview } from '../../domain/storable-text.ts';
import type { Database } from '../connection/database.ts';
import { inProject } from '../project/project-transaction.ts';
import { interjections, messages, runs } from '../schema/runs.ts';
import { addMessage } from '../transcript/transcript.ts';

/**
 * Adds pending messages to the run's transcript before the turn; not once the turn is answered, since the answer's calls may still await their
 * results.
 */
export async function deliverInterjections(
  database: Database,
  { projectId, runId, turn }: { projectId: string; runId: string; turn: number },
): Promise<void> {
  await inProject(database, projectId, async ({ query, tell }) => {
    const [place] = await query
      .select({ number: max(messages.number), turn: max(messages.turn) })
      .from(messages)
      .where(eq(messages.runId, runId));
    if ((place?.turn ?? 0) >= turn) return;
    const waiting = await query
      .select({ id: interjections.id, text: interjections.text })
      .from(interjections)
      .leftJoin(runs, eq(runs.id, interjections.forRunId))
      .where(and(eq(interjections.projectId, projectId), isNull(interjections.deliveredAt), concerns(runId)))
      .orderBy(asc(interjections.createdAt), asc(interjections.id));
    let number = (place?.number ?? -1) + 1;
    for (const { id, text } of waiting) {
      const content = { text: `A person who follows your work says:\n\n${text}` };
      // It follows the previous turn, as that turn's tool results do.
      await addMessage(query, { runId, number, turn: turn - 1, role: 'user', content });
      await query
        .update(interjections)
        .set({ runId, messageNumber: number, deliveredAt: new Date() })
        .where(and(eq(interjections.projectId, projectId), eq(interjections.id, id)));
      await tell({
        type: 'message-interjected',
        message: id,
        run: runId,
        messageNumber: number,
        text: preview(text, 400),
      });
      number += 1;
    }
  });
}

/** Condition: the message is for the run, for any run, or for a run that has ended. */
function concerns(runId: string): SQL | undefined {
  return or(isNull(interjections.forRunId), eq(interjections.forRunId, runId), ne(runs.status, 'RUNNING'));
}
