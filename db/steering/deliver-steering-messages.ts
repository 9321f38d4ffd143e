import { and, asc, eq, isNull, max, ne, or, type SQL } from 'drizzle-orm';
import { preview } from '../../domain/storable-text.ts';
import type { Database } from '../connection/database.ts';
import { inProject } from '../project/project-transaction.ts';
import { messages, runs, steeringMessages } from '../schema/runs.ts';
import { insertMessage } from '../transcript/transcript.ts';

/**
 * Adds pending messages to the run's transcript before the turn. Adds none once the turn is answered, since the answer's calls may still await their
 * results.
 */
export async function deliverSteeringMessages(
  database: Database,
  { projectId, runId, turn }: { projectId: string; runId: string; turn: number },
): Promise<void> {
  await inProject(database, projectId, async ({ query, log }) => {
    const [place] = await query
      .select({ number: max(messages.number), turn: max(messages.turn) })
      .from(messages)
      .where(eq(messages.runId, runId));
    if ((place?.turn ?? 0) >= turn) return;
    const waiting = await query
      .select({ id: steeringMessages.id, text: steeringMessages.text })
      .from(steeringMessages)
      .leftJoin(runs, eq(runs.id, steeringMessages.forRunId))
      .where(and(eq(steeringMessages.projectId, projectId), isNull(steeringMessages.deliveredAt), concerns(runId)))
      .orderBy(asc(steeringMessages.createdAt), asc(steeringMessages.id));
    let number = (place?.number ?? -1) + 1;
    for (const { id, text } of waiting) {
      const content = { text: `A steering message from the person who follows your work:\n\n${text}` };
      // It follows the previous turn, as that turn's tool results do.
      await insertMessage(query, { runId, number, turn: turn - 1, role: 'user', content });
      await query
        .update(steeringMessages)
        .set({ runId, messageNumber: number, deliveredAt: new Date() })
        .where(and(eq(steeringMessages.projectId, projectId), eq(steeringMessages.id, id)));
      await log({
        type: 'steering.delivered',
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
  return or(isNull(steeringMessages.forRunId), eq(steeringMessages.forRunId, runId), ne(runs.status, 'RUNNING'));
}
