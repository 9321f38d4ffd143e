import { eq } from 'drizzle-orm';
import type { Proposal } from '../../domain/project/proposal.ts';
import type { Queryable } from '../connection/database.ts';
import { proposals } from '../schema/projects.ts';

/** Stores a validated proposal for the project that has, or will have, this id; the first one stays. */
export async function saveProposal(query: Queryable, projectId: string, proposal: Proposal): Promise<void> {
  await query.insert(proposals).values({ projectId, proposal }).onConflictDoNothing();
}

export async function findProposal(query: Queryable, projectId: string): Promise<Proposal | undefined> {
  const [row] = await query.select().from(proposals).where(eq(proposals.projectId, projectId));
  return row?.proposal;
}
