import { eq, lt } from 'drizzle-orm';
import type { MadeTool } from '../../domain/tool/made-tool.ts';
import type { Refusal } from '../../domain/tool/refusal.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { madeToolCandidates } from '../schema/made-tools.ts';

/** Milliseconds after which a candidate whose client died is removed: a day. */
const maxAge = 24 * 60 * 60_000;

export type ToolCandidate = typeof madeToolCandidates.$inferSelect;

/** Stores a tool for `validateToolWorkflow`, whose id is the candidate's. */
export async function addCandidate(database: Database, { id, tool }: { id: string; tool: MadeTool }): Promise<void> {
  await database.delete(madeToolCandidates).where(lt(madeToolCandidates.createdAt, new Date(Date.now() - maxAge)));
  await database.insert(madeToolCandidates).values({ id, tool });
}

export async function readCandidate(query: Queryable, id: string): Promise<ToolCandidate> {
  const [row] = await query.select().from(madeToolCandidates).where(eq(madeToolCandidates.id, id));
  if (!row) throw new Error(`Expected the candidate "${id}" of a made tool; there is none.`);
  return row;
}

/** Stores why a candidate is refused; an empty list accepts it. */
export async function storeRefusals(query: Queryable, id: string, refusals: Refusal[]): Promise<void> {
  await query.update(madeToolCandidates).set({ refusals }).where(eq(madeToolCandidates.id, id));
}

export async function removeCandidate(database: Database, id: string): Promise<void> {
  await database.delete(madeToolCandidates).where(eq(madeToolCandidates.id, id));
}
