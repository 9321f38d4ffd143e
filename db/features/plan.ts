import { eq } from 'drizzle-orm';
import type { Proposal } from '../../domain/project/proposal.ts';
import type { ProposedFeature } from '../../domain/project/settings.ts';
import { cutText } from '../../domain/storable-text.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { addCheckpoint, readCheckpoints } from '../project/checkpoints.ts';
import { addProgress } from '../project/progress.ts';
import { inProject } from '../project/project-transaction.ts';
import { projects, proposals } from '../schema/projects.ts';
import { addFeatures } from './features.ts';

export interface ProjectPlan {
  projectId: string;
  summary: string;
  smokeCheck: string;
  features: ProposedFeature[];
  /** The commit with init.sh, the verification files and everything else of the plan. */
  commit: string;
  /** What a person and the agents should know about that commit. */
  remark?: string | undefined;
  workflowId: string;
  workflowRunId: string;
}

/** Records a project's features with its first checkpoint, all or nothing; an existing plan stays. */
export async function recordPlan(database: Database, plan: ProjectPlan): Promise<void> {
  await inProject(database, plan.projectId, async (transaction) => {
    const existing = await readCheckpoints(transaction.query, plan.projectId, { all: true });
    if (existing.length) return;
    await transaction.query
      .update(projects)
      .set({ summary: plan.summary, smokeCheck: plan.smokeCheck })
      .where(eq(projects.id, plan.projectId));
    await addFeatures(transaction, plan.features);
    await transaction.log({
      type: 'features.proposed',
      count: plan.features.length,
      summary: cutText(plan.summary, 500),
    });
    await addProgress(transaction, {
      id: `${plan.projectId}-init`,
      action: 'plan',
      outcome: `${plan.features.length} features planned. ${plan.summary}`,
      commit: plan.commit,
    });
    if (plan.remark !== undefined) {
      await addProgress(transaction, {
        id: `${plan.projectId}-init-remark`,
        action: 'set-up',
        outcome: plan.remark,
        commit: plan.commit,
      });
    }
    await addCheckpoint(transaction, {
      number: 0,
      commit: plan.commit,
      title: 'plan',
      workflowId: plan.workflowId,
      workflowRunId: plan.workflowRunId,
    });
  });
}

/** Stores a validated proposal for the project that has, or will have, this id; the first one stays. */
export async function saveProposal(query: Queryable, projectId: string, proposal: Proposal): Promise<void> {
  await query.insert(proposals).values({ projectId, proposal }).onConflictDoNothing();
}

export async function findProposal(query: Queryable, projectId: string): Promise<Proposal | undefined> {
  const [row] = await query.select().from(proposals).where(eq(proposals.projectId, projectId));
  return row?.proposal;
}
