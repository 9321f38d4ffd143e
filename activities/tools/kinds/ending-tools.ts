import { saveProposal } from '../../../db/features/plan.ts';
import { readProject } from '../../../db/project/projects.ts';
import { updateSession } from '../../../db/project/sessions.ts';
import { complainOfLanding } from '../../../domain/permissions/judge-landing.ts';
import { rulesInForce } from '../../../domain/permissions/rules-in-force.ts';
import { checkProposal } from '../../../domain/project/proposal.ts';
import type { SealedCheck } from '../../../domain/project/settings.ts';
import type { AgentRun } from '../../../domain/run/agent-run.ts';
import { expectOwner } from '../../../domain/run/run-owner.ts';
import { findSealedWithoutValues } from '../../../domain/verification/spoil/sealed-values.ts';
import type { Dependencies } from '../../dependencies.ts';
import { commitPresent, findConflicts, openGround, planFiles } from '../../project/plan-files.ts';
import { checkProposedChecks } from '../../session/check-proposed-checks.ts';
import { requestChange } from '../../session/request-change.ts';
import type { SessionName } from '../../session/session-commit.ts';
import type { ToolResult, Tools } from '../tool.ts';

/** Tools that end a run; their text is the run's result. */
export function createEndingTools(
  dependencies: Pick<Dependencies, 'database' | 'openRepository' | 'agents'>,
): Pick<
  Tools,
  | 'finish'
  | 'give_up'
  | 'cannot_be_done'
  | 'request_change'
  | 'allow_change'
  | 'refuse_change'
  | 'approve_work'
  | 'object_to_work'
  | 'submit_plan'
  | 'propose_checks'
  | 'propose_project'
> {
  const { database } = dependencies;
  return {
    finish: async ({ summary, evidence }) => ({ text: `${summary}\n\nEvidence: ${evidence}` }),
    give_up: async ({ reason, learned }) => ({ text: `The agent gave up: ${reason} Learned: ${learned}` }),
    cannot_be_done: async ({ reason, evidence }) => ({
      text: `The agent says that this cannot be done: ${reason} Evidence: ${evidence}`,
    }),
    async request_change(change, { run }) {
      const requested = await requestChange(dependencies, sessionOf(run), change);
      if ('refused' in requested) return { failed: true, text: requested.refused };
      return { text: `The agent asks to change ${change.path}: ${change.reason} ${requested.advice}` };
    },
    allow_change: async ({ reason }) => ({ text: `The change is allowed: ${reason}` }),
    refuse_change: async ({ reason }) => ({ text: `The change is refused: ${reason}` }),
    approve_work: async ({ summary }) => ({ text: summary }),
    object_to_work: async ({ place, reason }) => ({ text: `The reviewer objects to ${place}: ${reason}` }),
    async submit_plan({ steps, risks }) {
      const numbered = steps.map((step, index) => `${index + 1}. ${step}`).join('\n');
      return { text: risks ? `${numbered}\n\nRisks: ${risks}` : numbered };
    },
    async propose_checks(checks, { run }) {
      const session = sessionOf(run);
      const complaints = [
        ...(await checkProposedChecks(dependencies, session, checks)),
        ...complainOfSealed('sealed', checks.sealed),
      ];
      if (complaints.length) return refuse(complaints);
      await updateSession(database, session.sessionId, { proposedChecks: checks });
      return {
        text: [...checks.steps, ...checks.sealed.map(({ requirement: description }) => ({ description }))]
          .map(({ description }) => `- ${description}`)
          .join('\n'),
      };
    },
    async propose_project(proposed, { run }) {
      const check = checkProposal(proposed);
      if ('complaints' in check) return refuse(check.complaints);
      const unproven = check.proposal.features.flatMap(({ name, verification }) =>
        complainOfSealed(`features: "${name}": sealed`, verification.sealed),
      );
      if (unproven.length) return refuse(unproven);
      const project = await readProject(database, expectOwner(run.owner, 'project'));
      const rules = rulesInForce(dependencies.agents.permissions.rules, project.settings.permissions);
      const ground = await openGround(dependencies, project);
      const head = await commitPresent(ground.repository);
      const unlandable = complainOfLanding(
        rules,
        planFiles(check.proposal).map(({ path }) => path),
        head ? await ground.repository.listFiles(head) : [],
      );
      if (unlandable.length) return refuse(unlandable);
      const conflicts = head ? await findConflicts(ground, head, check.proposal) : [];
      if (conflicts.length) return refuse(conflicts);
      await saveProposal(database, project.id, check.proposal);
      return { text: check.proposal.summary };
    },
  };
}

function sessionOf({ owner, sessionId, runId }: AgentRun): SessionName {
  if (sessionId === undefined) throw new Error(`Expected the run ${runId} to belong to a session.`);
  return { projectId: expectOwner(owner, 'project'), sessionId };
}

/** An agent can write them otherwise; a person's are taken as they are. */
function complainOfSealed(place: string, sealed: SealedCheck[]): string[] {
  return findSealedWithoutValues(sealed).map(
    ({ requirement }) =>
      `${place}: the check of "${requirement}" compares with no value that is written out beside the result; work that reads the check could answer it. Write one: \`assert f(2) == 4\`, \`assert.equal(f(2), 4)\`, \`[ "$(./f 2)" = 4 ]\``,
  );
}

function refuse(complaints: string[]): ToolResult {
  const list = complaints.slice(0, 30).map((complaint) => `- ${complaint}`);
  return { failed: true, text: `The proposal is invalid:\n${list.join('\n')}` };
}
