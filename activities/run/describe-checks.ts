import { featureOf, readFeatures } from '../../db/project/features.ts';
import { readProject } from '../../db/project/projects.ts';
import { readSession } from '../../db/project/sessions.ts';
import { baseVerificationId, findVerification } from '../../db/project/verifications.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeLimits, type PromptVariables } from './describe-run.ts';
import { describeEnvironment } from './describe-session.ts';

/** What the agent reads that writes a verification anew: the present one whole, sealed checks included. */
export async function describeChecks(
  dependencies: Dependencies,
  run: AgentRun<'project'> & { sessionId: string },
): Promise<PromptVariables> {
  const { database } = dependencies;
  const { id, goal, settings } = await readProject(database, run.owner.id);
  const session = await readSession(database, run.sessionId);
  const feature = featureOf(await readFeatures(database, id), session);
  const unproven = await findVerification(database, baseVerificationId(session.id));
  return {
    instructions: {
      ...(await describeLimits(dependencies, run, settings.budgets)),
      environment: describeEnvironment(settings, dependencies.defaultImage),
    },
    task: {
      goal,
      feature: feature.name,
      description: feature.description,
      verification: JSON.stringify(feature.verification, null, 2),
      unproven: unproven?.reason ?? 'It passes before any work.',
    },
  };
}
