import { featureOf, readFeatures } from '../../db/features/features.ts';
import { inProject } from '../../db/project/project-transaction.ts';
import { readProject } from '../../db/project/projects.ts';
import { readSession } from '../../db/project/sessions.ts';
import { findRequest, openRequest, type RequestRow, requestId } from '../../db/requests/requests.ts';
import { type AskedFile, judgeLanding, type LandingVerdict } from '../../domain/permissions/judge-landing.ts';
import { rulesInForce } from '../../domain/permissions/rules-in-force.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Dependencies } from '../dependencies.ts';
import type { SessionName } from './session-commit.ts';

/** Whether a verified commit may land: now, after a person's answer to a request, or not at all. */
export type LandingPermission =
  | { kind: 'granted' }
  | ({ kind: 'asked' } & AskedLanding)
  | { kind: 'refused'; reason: string };

export interface AskedLanding {
  request: string;
  /** What is asked, in a sentence. */
  asked: string;
}

/** The activity `permitLanding`: judges what a commit would put into a person's folder, and asks a person where a rule says so. A repetition finds the request. */
export function createPermitLanding({
  database,
  openRepository,
  agents,
}: Pick<Dependencies, 'database' | 'openRepository' | 'agents'>) {
  return async ({ projectId, sessionId, commit }: SessionName & { commit: string }): Promise<LandingPermission> => {
    const key = `${sessionId}/landing`;
    const earlier = await findRequest(database, requestId(key));
    if (earlier) return permissionOf(earlier);
    const verdict = await judge(projectId, commit);
    if ('refused' in verdict) return { kind: 'refused', reason: verdict.refused };
    if (verdict.asked.length === 0) return { kind: 'granted' };
    const session = await readSession(database, sessionId);
    const { name: feature } = featureOf(await readFeatures(database, projectId), session);
    const request = await inProject(database, projectId, (transaction) =>
      openRequest(
        transaction,
        { key, kind: 'landing', sessionId, feature, ...describe(feature, commit, verdict.asked) },
        agents.permissions.requests,
      ),
    );
    return permissionOf(request);
  };

  async function judge(projectId: string, commit: string): Promise<LandingVerdict> {
    const { folder, branch, settings } = await readProject(database, projectId);
    const repository = await openRepository(folder, branch);
    const changes = await repository.changedFiles(`${commit}^`, commit);
    return judgeLanding(rulesInForce(agents.permissions.rules, settings.permissions), {
      changed: changes.filter(({ change }) => change !== 'deleted').map(({ path }) => path),
      links: await repository.readLinks(commit),
      files: await repository.listFiles(commit),
    });
  }
}

function describe(feature: string, commit: string, files: AskedFile[]) {
  const items = files.map(({ path }) => path);
  const rules = new Set(files.map(({ rule }) => rule));
  const short = commit.slice(0, 12);
  return {
    items,
    rule: [...rules].join(', '),
    asked: `The work on "${feature}" passed. Land it with ${preview(items.join(', '), 300)}? \`git show ${short}\` in the project's folder shows it.`,
  };
}

function permissionOf({ id, asked, items, answer, reason }: RequestRow): LandingPermission {
  if (answer === 'yes') return { kind: 'granted' };
  const files = preview(items.join(', '), 200);
  const why = reason ? `: ${preview(reason, 200)}` : '.';
  if (answer === 'edit')
    return { kind: 'refused', reason: `A person wants ${files} changed before the work lands${why}` };
  if (answer === 'no')
    return { kind: 'refused', reason: `A person refused that ${files} land${why} Leave what was refused as it was.` };
  return { kind: 'asked', request: id, asked: preview(asked, 400) };
}
