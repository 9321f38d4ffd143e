import { and, asc, eq } from 'drizzle-orm';
import { cutText } from '../../domain/storable-text.ts';
import type { Queryable } from '../connection/database.ts';
import { decisions } from '../schema/work.ts';
import { inPresentLineage } from './lineage.ts';
import type { ProjectTransaction } from './project-transaction.ts';

export type DecisionRow = typeof decisions.$inferSelect;

export interface NewDecision {
  /** Chosen by the caller, so that a retry does not record it twice. */
  id: string;
  sessionId?: string | undefined;
  runId?: string | undefined;
  title: string;
  context: string;
  choice: string;
  reasoning: string;
  tags: string[];
}

/** Adds a decision, or returns the existing one with its id. */
export async function addDecision(transaction: ProjectTransaction, decision: NewDecision): Promise<DecisionRow> {
  const { query, project } = transaction;
  const [existing] = await query.select().from(decisions).where(eq(decisions.id, decision.id));
  if (existing) return existing;
  const [row] = await query
    .insert(decisions)
    .values({
      ...decision,
      sessionId: decision.sessionId ?? null,
      runId: decision.runId ?? null,
      projectId: project.id,
      ...(await transaction.nextInLineage()),
    })
    .returning();
  if (!row) throw new Error(`Postgres returned no row for the decision "${decision.id}".`);
  await transaction.log({
    type: 'decision-recorded',
    decision: row.id,
    title: cutText(row.title, 200),
    choice: cutText(row.choice, 300),
  });
  return row;
}

/** The decisions of the present lineage, oldest first. */
export async function readDecisions(query: Queryable, projectId: string): Promise<DecisionRow[]> {
  return query
    .select()
    .from(decisions)
    .where(and(eq(decisions.projectId, projectId), inPresentLineage(decisions)))
    .orderBy(asc(decisions.sequence));
}
