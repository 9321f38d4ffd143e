import { readProject } from '../../db/project/projects.ts';
import { findRequest, requestId } from '../../db/requests/requests.ts';
import { canonicalHost } from '../../domain/network/canonical-host.ts';
import { type Decision, describeCall } from '../../domain/permissions/decide.ts';
import { describeVerdict } from '../../domain/permissions/describe-decision.ts';
import { judgePage } from '../../domain/permissions/judge-page.ts';
import type { Call, Rule } from '../../domain/permissions/rule.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { preview } from '../../domain/storable-text.ts';
import type { Dependencies } from '../dependencies.ts';

export interface Judged {
  call: Call;
  decision: Decision;
}

/** Judges reading a page by the rules and what the sandboxes of the run's owner reach. */
export function createJudgePageOf({ database, agents }: Pick<Dependencies, 'database' | 'agents'>) {
  return async ({ owner }: AgentRun, rules: readonly Rule[], page: URL): Promise<Judged> => {
    const network =
      owner.kind === 'chat' ? agents.chat.network : (await readProject(database, owner.id)).settings.network;
    const call = { kind: 'Network' as const, subject: canonicalHost(page.hostname) };
    return { call, decision: judgePage(rules, network, page) };
  };
}

/** The key of the request to read pages of a host: in a project for all attempts at a feature, in a chat for all of it. */
export function hostKey({ owner, feature }: AgentRun, call: Call): string {
  return [owner.id, ...(owner.kind === 'project' ? [feature] : []), describeCall(call)].join('/');
}

/** Why a redirect to a page of another host is not followed: a rule is against it, or a person has not allowed it. Undefined if it may be. */
export function createRefuseRedirect({ database, agents }: Pick<Dependencies, 'database' | 'agents'>) {
  const judgePageOf = createJudgePageOf({ database, agents });
  return async (run: AgentRun, rules: readonly Rule[], page: URL): Promise<string | undefined> => {
    const { call, decision } = await judgePageOf(run, rules, page);
    if (decision.effect === 'allow') return undefined;
    if (decision.effect === 'deny') return `${describeVerdict(decision)} decides on ${preview(decision.part, 300)}.`;
    const request = await findRequest(database, requestId(hostKey(run, call)));
    if (request?.answer === 'yes') return undefined;
    return `a person has to allow that host first. Call fetch_url with ${page.href} to ask for it.`;
  };
}
