import type { Database } from '../../db/connection/database.ts';
import { claimFeature } from '../../db/features/claim-feature.ts';
import { recordPlan } from '../../db/features/plan.ts';
import { addDecision } from '../../db/project/decisions.ts';
import { endSession } from '../../db/project/end-session.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { createProject, setProjectStatus } from '../../db/project/projects.ts';
import { defaultProjectSettings } from '../../domain/project/settings.ts';

export const commits = { plan: 'a'.repeat(40), entries: 'b'.repeat(40) } as const;

/** Seeds a project as its worker would have written it: two features, the first of which passed. */
export async function seedProject(
  database: Database,
  id: string,
  folder = `/tmp/${id}`,
  at: Record<keyof typeof commits, string> = commits,
): Promise<void> {
  await createProject(database, {
    id,
    name: id.replace('project-', ''),
    goal: 'Keep track of what I spend.',
    folder,
    branch: 'main',
    settings: defaultProjectSettings,
  });
  const feature = (name: string, dependencies: string[] = []) => ({
    name,
    description: `What ${name} does.`,
    category: 'functional' as const,
    priority: 5,
    dependencies,
    verification: { steps: [{ description: 'It works.', command: 'true' }], protectedPaths: [], sealed: [] },
  });
  await recordPlan(database, {
    projectId: id,
    summary: 'Two features.',
    smokeCheck: 'true',
    features: [feature('entries'), feature('report', ['entries'])],
    commit: at.plan,
    workflowId: id,
    workflowRunId: 'run',
  });
  await setProjectStatus(database, id, 'ACTIVE');
  const sessionId = `${id}-s1`;
  await claimFeature(database, { projectId: id, sessionId, number: 1 });
  await inProject(database, id, (transaction) =>
    addDecision(transaction, {
      id: `${id}-d1`,
      sessionId,
      title: 'Amounts are whole cents',
      context: 'Sums must be right.',
      choice: 'Integers.',
      reasoning: 'Floats are not exact.',
      tags: ['money'],
    }),
  );
  await endSession(database, {
    projectId: id,
    sessionId,
    status: 'PASSED',
    reason: 'It works.',
    commit: at.entries,
    filesChanged: ['spend.py'],
    tokens: 1200,
  });
}
