import { and, asc, desc, eq } from 'drizzle-orm';
import type { JudgedDecision } from '../../domain/project/decision.ts';
import { type DecisionFeedback, describeFeedback } from '../../domain/project/decision-feedback.ts';
import { cutText } from '../../domain/storable-text.ts';
import type { Queryable } from '../connection/database.ts';
import { DatabaseError } from '../database-error.ts';
import { decisionOutcomes, decisions } from '../schema/work.ts';
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
    type: 'decision.recorded',
    decision: row.id,
    title: cutText(row.title, 200),
    choice: cutText(row.choice, 300),
  });
  return row;
}

/** The decisions of the present lineage, oldest first. */
export async function readDecisions(query: Queryable, projectId: string): Promise<JudgedDecision[]> {
  const rows = await query
    .select()
    .from(decisions)
    .where(and(eq(decisions.projectId, projectId), inPresentLineage(decisions)))
    .orderBy(asc(decisions.sequence));
  const feedback = await readFeedback(query, projectId);
  return rows.map((row) => ({ ...row, feedback: feedback.get(row.id) ?? null }));
}

/** What came of the decisions of a project, by their ids. */
export async function readFeedback(query: Queryable, projectId: string): Promise<Map<string, DecisionFeedback>> {
  const rows = await query
    .selectDistinctOn([decisionOutcomes.decisionId])
    .from(decisionOutcomes)
    .where(and(eq(decisionOutcomes.projectId, projectId), inPresentLineage(decisionOutcomes)))
    .orderBy(decisionOutcomes.decisionId, desc(decisionOutcomes.sequence));
  return new Map(rows.map(({ decisionId, outcome, score, lesson }) => [decisionId, { outcome, score, lesson }]));
}

/**
 * Adds what came of a decision; one with its id stays.
 * @throws {DatabaseError} `UnknownDecision`
 */
export async function addFeedback(
  transaction: ProjectTransaction,
  { id, decision: reference, ...feedback }: DecisionFeedback & { id: string; decision: string },
): Promise<DecisionRow> {
  const { query, project } = transaction;
  const decision = findDecision(await readDecisions(query, project.id), reference);
  const [existing] = await query.select().from(decisionOutcomes).where(eq(decisionOutcomes.id, id));
  if (existing) return decision;
  const place = await transaction.nextInLineage();
  await query
    .insert(decisionOutcomes)
    .values({ id, projectId: project.id, ...place, decisionId: decision.id, ...feedback });
  await transaction.log({
    type: 'progress.logged',
    action: 'outcome of a decision',
    outcome: cutText(`${decision.title}: ${describeFeedback(feedback)}`, 500),
  });
  return decision;
}

/** The decision with this id, or else the only one with this title. */
function findDecision<Decision extends Pick<DecisionRow, 'id' | 'title'>>(
  all: Decision[],
  reference: string,
): Decision {
  const titled = all.filter(({ title }) => title === reference);
  const found = all.find(({ id }) => id === reference) ?? (titled.length === 1 ? titled[0] : undefined);
  if (found) return found;
  const known = all.slice(-10).map(({ id, title }) => `${id} (${cutText(title, 60)})`);
  throw new DatabaseError(
    'UnknownDecision',
    `No decision has the id "${reference}", and no single one has that title. The latest: ${known.join(', ') || 'none yet'}.`,
  );
}
