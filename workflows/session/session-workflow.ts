import { CancellationScope, setCurrentDetails, startChild, TemporalFailure } from '@temporalio/workflow';
import type { Unproven } from '../../activities/verification/verify-base.ts';
import { agentForCategory } from '../../domain/project/agent-for-category.ts';
import type { ClaimedFeature, PauseRequest, RunOutcome, SessionOutcome } from '../../domain/project/messages.ts';
import type { RunRequest } from '../../domain/run/agent-run.ts';
import { containers, database, git } from '../activities.ts';
import { closeSandbox } from '../agent/close-sandbox.ts';
import { runTask } from '../agent/do-task.ts';
import { createPauseGate, type PauseGate } from '../agent/pause-gate.ts';
import { retryUntilAvailable } from '../agent/retry-until-available.ts';
import { explain, failureType, short, wasCancelled } from '../failures.ts';
import { featureAttribute, projectAttribute } from '../search-attributes.ts';
import { childOptions, forwardPause, startWhenFree } from '../start-child.ts';
import { restOf, subAgentWorkflow } from './sub-agent-workflow.ts';

export interface SessionInput extends ClaimedFeature {
  projectId: string;
  sessionId: string;
  /** A person asked for a session on this feature by its name. */
  requestedByName?: boolean;
  /** Its work is what is in the project's folder since the last checkpoint: no agent is asked. */
  verifyOnly?: boolean;
  paused: boolean;
}

/** How the session ended, with the commit that did not pass. */
type Ending = SessionOutcome & { refusedCommit?: string };

/** One attempt at one feature: plan, work, commit and verify the commit. The project lands it. */
export async function sessionWorkflow(input: SessionInput): Promise<SessionOutcome> {
  const { projectId, sessionId, verifyOnly = false } = input;
  const gate = createPauseGate({ paused: input.paused, whilePaused: restOf({ sandbox: sessionId }) });
  let ending: Ending;
  try {
    const begun = await git.beginSession({ projectId, sessionId, verifyOnly });
    if (begun.ended) return begun.ended;
    ending = await workOnFeature(input, begun, gate);
  } catch (error) {
    // Anything else is a bug: the workflow task keeps failing until a fixed version runs.
    if (!(error instanceof TemporalFailure)) throw error;
    ending = wasCancelled(error)
      ? { kind: 'interrupted', reason: 'It was stopped.' }
      : // The next session replaces a lost sandbox; anything else would fail the same way again.
        { kind: 'interrupted', reason: explain(error), unavailable: failureType(error) !== 'SandboxLost' };
  }
  return CancellationScope.nonCancellable(() => endSession(input, ending));
}

async function workOnFeature(
  input: SessionInput,
  { baseCommit, review }: { baseCommit: string; review?: boolean },
  gate: PauseGate,
): Promise<Ending> {
  const { projectId, sessionId, verifyOnly = false } = input;
  setDetails(input, `Opening the sandbox at ${verifyOnly ? 'the last checkpoint' : 'the head commit'}`);
  const { unproven } = await step(() =>
    containers.openSandbox({
      projectId,
      sandbox: sessionId,
      purpose: 'session',
      commit: baseCommit,
      prepare: true,
      requestedByName: input.requestedByName && !verifyOnly,
    }),
  );
  if (unproven && verifyOnly) return { kind: 'interrupted', reason: unproven.reason };
  if (unproven) return settleUnproven(unproven);
  const unfinished = verifyOnly ? undefined : await implement();
  if (unfinished) return unfinished;

  setDetails(input, 'Committing');
  const committed = await step(() => git.commitSession({ projectId, sessionId, verifyOnly }));
  if (committed.commit === undefined) return { kind: 'failed', reason: committed.refused };
  const { commit } = committed;
  setDetails(input, `Verifying commit ${commit.slice(0, 8)} in a fresh sandbox`);
  const summary = `${input.feature} at ${commit.slice(0, 8)}`;
  const { passed, reason, fewNoticed } = await step(() =>
    containers.verifyFeature.executeWithOptions({ summary }, [{ projectId, sessionId, commit, landing: 1 }]),
  );
  // The attempts are those of Longhaul's own agents.
  if (verifyOnly) return passed ? { kind: 'verified', commit, reason } : { kind: 'interrupted', reason };
  if (!passed) return { kind: 'failed', reason, refusedCommit: commit };
  const checksAdded = fewNoticed && (await writeChecks('more-checks', 'Writing further checks')).status === 'FINISHED';
  // Only its objection counts, not how else it ends.
  const reviewer = { runId: `${sessionId}-review`, role: 'reviewer' } as const;
  const opinion = review ? await runShort(input, gate, reviewer, 'Reviewing') : undefined;
  if (opinion?.status === 'OBJECTED') return { kind: 'failed', reason: opinion.reason, refusedCommit: commit };
  return { kind: 'verified', commit, reason, checksAdded };

  /** Has agents plan and do the work; returns how the session ends if they did not finish. */
  async function implement(): Promise<Ending | undefined> {
    const plan = await runShort(input, gate, { runId: planOf(input), role: 'planner' }, 'Planning');
    if (plan.status === 'ASKED') return { kind: 'failed', reason: plan.reason, needsPerson: true };
    if (plan.status !== 'FINISHED') return { kind: 'failed', reason: plan.reason };
    const work = await runSpecialist(input, gate);
    if (work.status === 'IMPOSSIBLE' || work.status === 'ASKED')
      return { kind: 'failed', reason: work.reason, needsPerson: true };
    if (work.status === 'CHANGE_REQUESTED') return settleChange(work.reason);
    if (work.status !== 'FINISHED') return { kind: 'failed', reason: work.reason };
    return undefined;
  }

  /** Has the verification written anew for the next session, or leaves it to a person. */
  async function settleUnproven({ reason, mayRewrite }: Unproven): Promise<Ending> {
    if (!mayRewrite) return { kind: 'failed', reason, needsPerson: true };
    const written = await writeChecks('checks', 'Writing its checks anew');
    if (written.status !== 'FINISHED')
      return { kind: 'failed', reason: short(`${reason} ${written.reason}`), needsPerson: true };
    return {
      kind: 'interrupted',
      reason: 'Its verification proved nothing and was written anew. The next session works by it.',
    };
  }

  /** Has an agent write checks, and applies what it proposes. */
  async function writeChecks(name: string, doing: string): Promise<RunOutcome> {
    const written = await runShort(input, gate, { runId: `${sessionId}-${name}`, role: 'checks' }, doing);
    if (written.status === 'FINISHED') await step(() => git.applyChecks({ projectId, sessionId }));
    return written;
  }

  /** Has an agent decide on the change that the work needs, or leaves it to a person. */
  async function settleChange(requested: string): Promise<Ending> {
    const byPerson: Ending = { kind: 'failed', reason: requested, needsPerson: true };
    if ((await step(() => database.findDecider({ projectId, sessionId }))) === 'person') return byPerson;
    const run = { runId: `${sessionId}-change`, role: 'changes' } as const;
    const decision = await runShort(input, gate, run, 'Deciding on a change');
    if (decision.status === 'OBJECTED') return { kind: 'failed', reason: decision.reason };
    if (decision.status !== 'FINISHED') return byPerson;
    await step(() => database.allowChange({ projectId, sessionId }));
    return { kind: 'interrupted', reason: short(`${decision.reason} The next session may make it.`) };
  }

  function step<Result>(work: () => Promise<Result>): Promise<Result> {
    return retryUntilAvailable(
      { owner: { kind: 'project', id: projectId }, who: `The session on "${input.feature}"` },
      gate,
      work,
    );
  }
}

/** Runs an agent that is no child workflow: it plans, writes checks or judges. */
function runShort(
  input: SessionInput,
  gate: PauseGate,
  run: Pick<RunRequest, 'runId' | 'role'>,
  doing: string,
): Promise<RunOutcome> {
  return runTask({ ...runOf(input), ...run }, gate, (turn) => setDetails(input, `${doing}, turn ${turn}`));
}

/** Runs the specialist for the feature's category, and forwards pauses to it. */
async function runSpecialist(input: SessionInput, gate: PauseGate): Promise<RunOutcome> {
  await gate.pass();
  const role = agentForCategory(input.category);
  const run = { ...runOf(input), runId: `${input.sessionId}-work`, parentRunId: planOf(input), role };
  setDetails(input, `The ${role} agent is working (workflow \`${run.runId}\`)`);
  const { paused, resumes } = gate;
  let latest: PauseRequest | null = null;
  let forward = (request: PauseRequest | null): void => {
    latest = request; // forwarded once the child has started
  };
  const stopForwarding = gate.onChange((request) => forward(request));
  try {
    const child = await startWhenFree(() =>
      startChild(subAgentWorkflow, {
        ...childOptions,
        workflowId: run.runId,
        args: [{ run, paused }],
        staticSummary: `${role} agent: ${input.feature}`,
        typedSearchAttributes: [
          { key: projectAttribute, value: input.projectId },
          { key: featureAttribute, value: input.feature },
        ],
      }),
    );
    forward = (request) => forwardPause(child, request);
    // A child that was paused and resumed while it was starting may still wait for the resume.
    if (gate.paused !== paused || gate.resumes !== resumes) forward(gate.paused ? (latest ?? {}) : null);
    return await child.result();
  } finally {
    stopForwarding();
  }
}

/** Closes the sandbox, and records how the session ended unless its work has yet to land. */
async function endSession(input: SessionInput, ending: Ending): Promise<SessionOutcome> {
  const { projectId, sessionId } = input;
  const { refusedCommit: commit, ...outcome } = ending;
  await closeSandbox(projectId, sessionId);
  setDetails(input, `${outcome.kind}: ${outcome.reason}`);
  if (outcome.kind === 'failed') {
    const { reason, needsPerson } = outcome;
    await database.endSession({ projectId, sessionId, status: 'FAILED', reason, lesson: reason, commit, needsPerson });
  } else if (outcome.kind === 'interrupted') {
    await database.endSession({ projectId, sessionId, status: 'INTERRUPTED', reason: outcome.reason });
  }
  return outcome;
}

function runOf(input: SessionInput) {
  const { projectId, sessionId, feature, attempt } = input;
  return { owner: { kind: 'project' as const, id: projectId }, sessionId, sandbox: sessionId, feature, attempt };
}

function planOf({ sessionId }: SessionInput): string {
  return `${sessionId}-plan`;
}

function setDetails(input: SessionInput, what: string): void {
  setCurrentDetails(`**${input.feature}**, attempt ${input.attempt}\n\n${what}.`);
}
