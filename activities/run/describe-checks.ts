import { fence } from '../../agents/fence.ts';
import { featureOf, readFeatures } from '../../db/features/features.ts';
import { readProject } from '../../db/project/projects.ts';
import { readSession } from '../../db/project/sessions.ts';
import { baseVerificationId, findVerification, verificationId } from '../../db/project/verifications.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { MutantCounts } from '../../domain/verification/mutants.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeLimits, type PromptVariables } from './describe-run.ts';
import { describeEnvironment } from './describe-session.ts';

/** What the agent reads that writes a verification anew or adds to it: the present one whole, sealed checks included. */
export async function describeChecks(
  dependencies: Dependencies,
  run: AgentRun<'project'> & { sessionId: string },
): Promise<PromptVariables> {
  const { database } = dependencies;
  const { id, goal, settings } = await readProject(database, run.owner.id);
  const session = await readSession(database, run.sessionId);
  const feature = featureOf(await readFeatures(database, id), session);
  const [unproven, verdict] = await Promise.all([
    findVerification(database, baseVerificationId(session.id)),
    findVerification(database, verificationId({ sessionId: session.id, landing: 1 })),
  ]);
  return {
    instructions: {
      ...(await describeLimits(dependencies, run, settings.budgets)),
      environment: describeEnvironment(settings, dependencies),
    },
    task: {
      goal,
      feature: feature.name,
      description: feature.description,
      verification: JSON.stringify(feature.verification, null, 2),
      reason: verdict?.mutants
        ? describeMissed(verdict.mutants)
        : fence('the verification', unproven?.reason ?? '', 'It passes before any work.'),
    },
  };
}

function describeMissed({ tried, noticed, missed }: MutantCounts): string {
  return [
    `The work passes by it. ${tried} small mistakes were then put into the work, one at a time, and the checks noticed ${noticed} of them. They did not notice:`,
    fence('the work', missed.map((one) => `- ${one}`).join('\n')),
    'Propose further checks that notice those that change what the description asks for; some may change nothing of it. They are added to the present ones, whose files stay, and the work has to pass them too.',
  ].join('\n\n');
}
