import { and, desc, eq } from 'drizzle-orm';
import type { ProjectEventData } from '../../domain/run/event.ts';
import { cutText } from '../../domain/storable-text.ts';
import type { Queryable } from '../connection/database.ts';
import type { Addition } from '../events/add-to-owner.ts';
import { progress } from '../schema/work.ts';
import { inPresentLineage } from './lineage.ts';
import type { ProjectWriter } from './project-transaction.ts';

export type ProgressRow = typeof progress.$inferSelect;

export interface ProgressEntry {
  /** Chosen by the caller, so that a retry adds no second entry. */
  id: string;
  sessionId?: string | undefined;
  featureId?: string | undefined;
  action: string;
  outcome: string;
  filesChanged?: string[];
  commit?: string | undefined;
  tokens?: number;
}

/** Adds an entry unless one with its id exists. */
export async function addProgress(writer: ProjectWriter, entry: ProgressEntry): Promise<void> {
  const existing = await writer.query.select().from(progress).where(eq(progress.id, entry.id));
  if (existing.length) return;
  const place = await writer.nextInLineage();
  await Promise.all([
    writer.query.insert(progress).values({
      id: entry.id,
      projectId: writer.projectId,
      ...place,
      sessionId: entry.sessionId ?? null,
      featureId: entry.featureId ?? null,
      action: entry.action,
      outcome: entry.outcome,
      filesChanged: entry.filesChanged ?? [],
      commit: entry.commit ?? null,
      tokens: entry.tokens ?? 0,
    }),
    writer.log(eventOf(entry)),
  ]);
}

/** An entry to be added along with other rows of a run; if one with its id exists, Postgres refuses it (`isAlreadyThere`). */
export function progressEntry(entry: Pick<ProgressEntry, 'id' | 'sessionId' | 'action' | 'outcome'>): Addition {
  return {
    events: [eventOf(entry)],
    inLineage: (query, place) => query.insert(progress).values({ ...entry, ...place }),
  };
}

function eventOf({ action, outcome }: Pick<ProgressEntry, 'action' | 'outcome'>): ProjectEventData {
  return { type: 'progress.logged', action, outcome: cutText(outcome, 500) };
}

/** The latest entries of the present lineage, oldest first. */
export async function readProgress(query: Queryable, projectId: string, limit = 50): Promise<ProgressRow[]> {
  const rows = await query
    .select()
    .from(progress)
    .where(and(eq(progress.projectId, projectId), inPresentLineage(progress)))
    .orderBy(desc(progress.sequence))
    .limit(limit);
  return rows.reverse();
}
