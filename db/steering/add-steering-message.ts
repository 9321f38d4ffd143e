import { and, desc, eq } from 'drizzle-orm';
import { preview, storableText } from '../../domain/storable-text.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { inProject } from '../project/project-transaction.ts';
import { runs, steeringMessages } from '../schema/runs.ts';
import { resolveRun } from '../transcript/resolve-run.ts';

/** Maximum characters. A message stays in the conversation to its end, so longer texts belong in a file of the repository. */
const maxTextLength = 20_000;

export interface NewSteeringMessage {
  projectId: string;
  /** Chosen by the sender, so that sending it again does not repeat it. */
  id: string;
  text: string;
  /** A run, by its id or the part of it after the project's id; if absent, the run that takes the next turn. */
  run?: string | undefined;
}

/**
 * Stores a person's message until a run's next turn. Returns the id of the active run that will receive it, null if there is none.
 * @throws {DatabaseError} `UnknownRun`
 * @throws {DatabaseError} `MessageUnusable` if there is no text, or more than 20,000 characters.
 * @throws {DatabaseError} `RunEnded` if it is addressed to a run that has ended.
 */
export async function addSteeringMessage(
  database: Database,
  { projectId, id, text, run: reference }: NewSteeringMessage,
): Promise<{ run: string | null }> {
  if (!text.trim() || text.length > maxTextLength) {
    throw new DatabaseError(
      'MessageUnusable',
      `Expected a message of 1 to ${maxTextLength} characters, got ${text.trim() ? text.length : 'none'}. Put longer texts into a file of the repository and name the file.`,
    );
  }
  return inProject(database, projectId, async ({ query, log }) => {
    const [known] = await query
      .select()
      .from(steeringMessages)
      .where(and(eq(steeringMessages.projectId, projectId), eq(steeringMessages.id, id)));
    if (known) return { run: known.runId ?? known.forRunId ?? (await findRunAtWork(query, projectId)) };
    const run = reference === undefined ? undefined : await resolveRun(query, projectId, reference);
    if (run && run.status !== 'RUNNING') {
      throw new DatabaseError(
        'RunEnded',
        `The run ${run.id} is ${run.status}, so it takes no more messages. Name no run to reach the next one.`,
      );
    }
    await query.insert(steeringMessages).values({ projectId, id, text: storableText(text), forRunId: run?.id ?? null });
    await log({
      type: 'steering.received',
      message: id,
      ...(run && { forRun: run.id }),
      text: preview(text, 400),
    });
    return { run: run?.id ?? (await findRunAtWork(query, projectId)) };
  });
}

async function findRunAtWork(query: Queryable, projectId: string): Promise<string | null> {
  const [row] = await query
    .select({ id: runs.id })
    .from(runs)
    .where(and(eq(runs.projectId, projectId), eq(runs.status, 'RUNNING')))
    .orderBy(desc(runs.startedAt))
    .limit(1);
  return row?.id ?? null;
}
