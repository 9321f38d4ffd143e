import { readFeatures } from '../../db/features/features.ts';
import { readProject } from '../../db/project/projects.ts';
import { readSession } from '../../db/project/sessions.ts';
import { foldersAbove } from '../../domain/folders-above.ts';
import { complainOfLanding } from '../../domain/permissions/judge-landing.ts';
import { rulesInForce } from '../../domain/permissions/rules-in-force.ts';
import type { ProposedChecks } from '../../domain/project/proposal.ts';
import type { Dependencies } from '../dependencies.ts';
import { setUpScript } from '../sandbox/prepare-sandbox.ts';
import { isJudged } from './apply-checks.ts';
import type { SessionName } from './session-commit.ts';

/** Why a session's proposal for the verification of its feature cannot be used, one sentence each. */
export async function checkProposedChecks(
  { database, openRepository, agents }: Pick<Dependencies, 'database' | 'openRepository' | 'agents'>,
  { projectId, sessionId }: SessionName,
  { steps, files, sealed }: ProposedChecks,
): Promise<string[]> {
  const { folder, branch, settings } = await readProject(database, projectId);
  const { baseCommit, featureId } = await readSession(database, sessionId);
  const feature = (await readFeatures(database, projectId)).find(({ id }) => id === featureId);
  const repository = await openRepository(folder, branch);
  const present = new Set(baseCommit ? await repository.listFiles(baseCommit) : []);
  const isReplaced = !(await isJudged(database, { id: sessionId }));
  const replaceable = new Set(isReplaced ? feature?.verification.protectedPaths : []);
  const rules = rulesInForce(agents.permissions.rules, settings.permissions);
  const complaints = complainOfLanding(
    rules,
    files.map(({ path }) => path),
    present,
  );
  if (!steps.some(({ command }) => command) && sealed.length === 0)
    complaints.push('steps: expected at least one with a command, or a sealed check');
  for (const { path } of files) {
    const file = foldersAbove(path).find((one) => present.has(one));
    if (path === setUpScript) complaints.push(`files: "${path}" sets up sandboxes; leave it out`);
    else if (file) complaints.push(`files: "${file}" is a file, so "${path}" cannot be in a folder of that name`);
    else if (present.has(path) && !replaceable.has(path))
      complaints.push(`files: "${path}" exists and is no check of this feature; choose another path`);
  }
  return complaints;
}
