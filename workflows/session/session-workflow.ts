import {
  CancellationScope,
  patched,
  setCurrentDetails,
  setWorkflowOptions,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { Landing, LandingInput } from '../../activities/session/session.ts';
import type { VerifyInput } from '../../activities/verification/verify.ts';
import { growingPause } from '../../domain/growing-pause.ts';
import { agentForCategory } from '../../domain/project/agent-for-category.ts';
import type { PauseRequest, RunOutcome, SessionOutcome } from '../../domain/project/messages.ts';
import type { Category } from '../../domain/project/statuses.ts';
import { containers, database, git } from '../activities.ts';
import { holdForPause } from '../agent/ask-model.ts';
import { beginRun } from '../agent/begin-run.ts';
import { closeSandbox } from '../agent/close-sandbox.ts';
import { doTask, startOfTask } from '../agent/do-task.ts';
import { createPauseGate, type PauseGate } from '../agent/pause-gate.ts';
import { type Actor, outlast, waitUntilBack } from '../agent/retry-until-available.ts';
import { explain, failureType } from '../failures.ts';
import { featureAttribute, projectAttribute } from '../search-attributes.ts';
import { childOptions, forwardPause, startWhenFree } from '../start-child.ts';
import { wasCancelled } from '../was-cancelled.ts';
import { restOf, subAgentWorkflow } from './sub-agent-workflow.ts';

export interface SessionInput {
  projectId: string;
  sessionId: string;
  feature: string;
  category: Category;
  attempt: number;
  paused: boolean;
}

/** What the session hands to its end. */
interface Ending extends SessionOutcome {
  lesson?: string;
  commit?: string;
}

/** How often work is verified on top of what changed in the project's folder during the verification before. */
const maxLandings = 5;

setWorkflowOptions({ failureExceptionTypes: [Error] }, sessionWorkflow);

/** About an hour: the pauses between them grow to a minute. */
const triesToLand = 60;

/** One attempt at one feature: plan, work, commit, verify, and then a checkpoint or a lesson. */
export async function sessionWorkflow(input: SessionInput): Promise<SessionOutcome> {
  const gate = createPauseGate({ paused: input.paused, whilePaused: restOf({ sandbox: input.sessionId }) });
  let ending: Ending;
  try {
    const begun = await git.beginSession({ projectId: input.projectId, sessionId: input.sessionId });
    if (begun.ended) return begun.ended;
    ending = await workOnFeature(input, begun.baseCommit, gate);
  } catch (error) {
    ending = wasCancelled(error)
      ? { status: 'INTERRUPTED', reason: 'It was stopped.' }
      : // A lost sandbox is replaced by the next session's; anything else would fail the same way again.
        { status: 'INTERRUPTED', reason: explain(error), trouble: failureType(error) !== 'SandboxLost' };
  }
  return CancellationScope.nonCancellable(() => endSession(input, ending));
}

async function workOnFeature(input: SessionInput, baseCommit: string, gate: PauseGate): Promise<Ending> {
  const { projectId, sessionId } = input;
  tell(input, 'Opening the sandbox at the head commit');
  await outlast(actorOf(input), gate, () =>
    containers.openSandbox({ projectId, sandbox: sessionId, purpose: 'session', commit: baseCommit, prepare: true }),
  );
  const plan = await makePlan(input, gate);
  if (plan.status !== 'FINISHED') return notDone(plan);
  const work = await runSpecialist(input, gate);
  if (work.status !== 'FINISHED') return notDone(work);
  return handOver(input, gate);
}

async function makePlan(input: SessionInput, gate: PauseGate): Promise<RunOutcome> {
  const run = await beginRun({ ...runOf(input), runId: planOf(input), role: 'planner' }, gate);
  const outcome = await doTask(
    run,
    gate,
    { ...startOfTask },
    {
      onTurn: (turn) => tell(input, `Planning, turn ${turn}`),
    },
  );
  const end = outcome ?? { status: 'ENDED' as const, reason: 'It was stopped.' };
  await database.endRun({ projectId: input.projectId, runId: run.runId, ...end });
  return end;
}

/** Runs the specialist that the feature's category calls for, and hands pauses on to it. */
async function runSpecialist(input: SessionInput, gate: PauseGate): Promise<RunOutcome> {
  await gate.pass();
  const role = agentForCategory(input.category);
  const run = { ...runOf(input), runId: `${input.sessionId}-work`, parentRunId: planOf(input), role };
  tell(input, `The ${role} agent is at work (workflow \`${run.runId}\`)`);
  const { paused, resumes } = gate;
  let latest: PauseRequest | null = null;
  let forward = (request: PauseRequest | null): void => {
    latest = request; // the child is starting: it is told when it is there
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
    // One that was paused and resumed while it was starting may have found itself paused, and waits for the resume.
    const missed = gate.resumes !== resumes && patched('resumes-when-shown');
    if (gate.paused !== paused || missed) forward(gate.paused ? (latest ?? {}) : null);
    return await child.result();
  } finally {
    stopForwarding();
  }
}

/** Commits the work, verifies the commit in a fresh sandbox, and makes it a checkpoint if it passes. */
async function handOver(input: SessionInput, gate: PauseGate): Promise<Ending> {
  const { projectId, sessionId } = input;
  const { workflowId, runId: workflowRunId } = workflowInfo();
  for (let landing = 1; ; landing += 1) {
    tell(input, 'Committing');
    const committed = await outlast(actorOf(input), gate, () => git.commitSession({ projectId, sessionId, landing }));
    if (committed.commit === undefined)
      return { status: 'FAILED', reason: committed.refused, lesson: committed.refused };
    const { commit } = committed;

    tell(input, `Verifying commit ${commit.slice(0, 8)} in a fresh sandbox`);
    const verification = await outlast(actorOf(input), gate, () =>
      containers.verifyFeature.executeWithOptions({ summary: `${input.feature} at ${commit.slice(0, 8)}` }, [
        { projectId, sessionId, commit, landing },
      ]),
    );
    if (!verification.passed) {
      return { status: 'FAILED', reason: verification.reason, lesson: verification.reason, commit };
    }
    tell(input, 'Verifying again what passed before');
    await lookBack(input, gate, { projectId, sessionId, commit, landing });
    tell(input, 'Making the checkpoint');
    const { reason } = verification;
    const verified = { projectId, sessionId, commit, landing, reason, workflowId, workflowRunId };
    const { landed, inTheWay } = await land(input, gate, verified);
    if (landed) return { status: 'PASSED', reason, commit };
    if (landing >= maxLandings && patched('bounds-landings')) {
      const told = `The work passed ${landing} times, and each time the project's folder had changed meanwhile (the last time: ${inTheWay}).`;
      const advice = `It is at refs/longhaul/sessions/${sessionId}/${landing}. Let git ignore what keeps changing.`;
      return { status: 'INTERRUPTED', reason: `${told} ${advice}`, trouble: true };
    }
    // A person committed meanwhile: the work is put on top of that and verified again.
  }
}

/** Verifies again what passed before; where a pause breaks it off, it goes on after the resume. */
async function lookBack(input: SessionInput, gate: PauseGate, landing: VerifyInput): Promise<void> {
  for (;;) {
    const { resumes } = gate;
    const { paused } = (await outlast(actorOf(input), gate, () => containers.verifyEarlierFeatures(landing))) ?? {};
    if (!paused) return;
    holdForPause(gate, resumes);
  }
}

/** Retried for an hour while a person's git is in the way, then the project waits. Between tries it can be paused and cancelled. */
async function land(input: SessionInput, gate: PauseGate, verified: Omit<LandingInput, 'tries'>): Promise<Landing> {
  for (let tries = 1; ; tries += 1) {
    try {
      // Once begun it ends: the branch, the features and the checkpoint change together.
      return await gate.step(() => CancellationScope.nonCancellable(() => git.landSession({ ...verified, tries })));
    } catch (error) {
      if (failureType(error) === 'RepositoryBusy' && tries < triesToLand) {
        await sleep(growingPause(tries), { summary: "Waiting for a person's git in the project's folder" });
      } else {
        await waitUntilBack(actorOf(input), gate, error);
        tries = 0;
      }
    }
  }
}

async function endSession(input: SessionInput, ending: Ending): Promise<SessionOutcome> {
  const { projectId, sessionId } = input;
  await closeSandbox(sessionId);
  const { status, reason, lesson, commit, trouble } = ending;
  const kept = await database.endSession({
    projectId,
    sessionId,
    status,
    reason,
    ...(lesson && { lesson }),
    ...(commit && { commit }),
  });
  tell(input, `${kept}: ${reason}`);
  return { status: kept, reason, ...(trouble && { trouble }) };
}

function notDone(outcome: RunOutcome): Ending {
  return { status: 'FAILED', reason: outcome.reason, lesson: outcome.reason };
}

function runOf(input: SessionInput) {
  const { projectId, sessionId, feature, attempt } = input;
  return { owner: { kind: 'project' as const, id: projectId }, sessionId, sandbox: sessionId, feature, attempt };
}

/** As a person is told who cannot go on. */
function actorOf({ projectId, feature }: SessionInput): Actor {
  return { owner: { kind: 'project', id: projectId }, who: `The session on "${feature}"` };
}

function planOf({ sessionId }: SessionInput): string {
  return `${sessionId}-plan`;
}

function tell(input: SessionInput, what: string): void {
  setCurrentDetails(`**${input.feature}**, attempt ${input.attempt}\n\n${what}.`);
}
