import { fence } from '../../agents/fence.ts';
import { featureOf, readFeatures } from '../../db/features/features.ts';
import { readProject } from '../../db/project/projects.ts';
import { readSession } from '../../db/project/sessions.ts';
import { findVerification, verificationId } from '../../db/project/verifications.ts';
import { readSteeringMessagesOnFeature } from '../../db/steering/read-steering-messages.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Dependencies } from '../dependencies.ts';
import { sessionRef } from '../session/session-commit.ts';
import { describeLimits, type PromptVariables } from './describe-run.ts';
import { formatSaid, formatVerification } from './describe-session.ts';

/** Characters of a diff, some 15,000 tokens; the reviewer can read the files. */
const maxDiff = 60_000;

/** What a reviewer reads of a session's verified commit: nothing that its agents said. */
export async function describeReview(
  dependencies: Dependencies,
  run: AgentRun<'project'> & { sessionId: string },
): Promise<PromptVariables> {
  const { database } = dependencies;
  const project = await readProject(database, run.owner.id);
  const session = await readSession(database, run.sessionId);
  const feature = featureOf(await readFeatures(database, project.id), session);
  const repository = await dependencies.openRepository(project.folder, project.branch);
  const commit = await repository.resolve(sessionRef(session.id, 1));
  if (!commit) throw new Error(`Expected a commit of the session ${session.id}.`);
  const diff = await repository.diff(`${commit}^`, commit);
  const verification = await findVerification(database, verificationId({ sessionId: session.id, landing: 1 }));
  const said = await readSteeringMessagesOnFeature(database, { featureId: feature.id, runId: run.runId });
  return {
    instructions: await describeLimits(dependencies, run, project.settings.budgets),
    task: {
      feature: feature.name,
      description: feature.description,
      verification: formatVerification(feature),
      evidence: fence('the verification', verification?.steps.map(formatEvidence).join('\n') ?? '', 'Nothing.'),
      said: formatSaid(said),
      diff: fence(
        'the work',
        diff.length > maxDiff ? `${diff.slice(0, maxDiff)}\n[The diff is longer: read the files.]` : diff,
        'It changes nothing.',
      ),
    },
  };
}

function formatEvidence({ description, passed, exitCode, spoiled, sealed }: StepResult): string {
  const kind = sealed ? 'a check that is sealed, ' : '';
  const proof = spoiled ? `, with spoiled checks exit code ${spoiled.exitCode}` : '';
  return `- ${description} (${kind}${passed ? 'passed' : 'failed'}, exit code ${exitCode}${proof})`;
}
