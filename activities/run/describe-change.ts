import { fence } from '../../agents/fence.ts';
import { featureOf, readFeatures } from '../../db/features/features.ts';
import { readProject } from '../../db/project/projects.ts';
import { readSession } from '../../db/project/sessions.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Dependencies } from '../dependencies.ts';
import { expectRequested } from '../session/request-change.ts';
import { describeLimits, type PromptVariables } from './describe-run.ts';
import { formatVerification } from './describe-session.ts';

/** What the agent reads that decides whether a file that steers checks may be changed. */
export async function describeChange(
  dependencies: Dependencies,
  run: AgentRun<'project'> & { sessionId: string },
): Promise<PromptVariables> {
  const { database } = dependencies;
  const { id, settings } = await readProject(database, run.owner.id);
  const session = await readSession(database, run.sessionId);
  const feature = featureOf(await readFeatures(database, id), session);
  const { path, reason } = expectRequested(session);
  return {
    instructions: await describeLimits(dependencies, run, settings.budgets),
    task: {
      feature: feature.name,
      description: feature.description,
      verification: formatVerification(feature),
      path,
      reason: fence('the agent that asks', reason),
    },
  };
}
