import {
  CancellationScope,
  CancelledFailure,
  condition,
  isCancellation,
  sleep,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { Landing } from '../../activities/session/landing.ts';
import type { LandingPermission } from '../../activities/session/permit-landing.ts';
import { growingPause } from '../../domain/growing-pause.ts';
import type { SessionOutcome } from '../../domain/project/messages.ts';
import { containers, database, git } from '../activities.ts';
import { isAway } from '../agent/retry-until-available.ts';
import { explain, failureType } from '../failures.ts';
import type { ProjectState } from './project-state.ts';
import type { Session } from './session.ts';
import { stoppable, stopped } from './stoppable.ts';

/** Max tries to merge and verify the work on the head, which moves if a person commits or edits meanwhile. */
const maxRounds = 4;

/** About an hour: the pauses between them grow to a minute. */
const triesToMoveHead = 60;

/** Lands the verified commit of a session: merges it onto the head, verifies the result and what passed before, and moves the head. */
export async function landSession(state: ProjectState, session: Session): Promise<void> {
  state.sessions.landingStarted(session);
  let outcome: SessionOutcome | Asked;
  try {
    outcome = await land(state, session);
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    outcome = isCancellation(error)
      ? { kind: 'interrupted', reason: 'It was stopped.' }
      : { kind: 'interrupted', reason: explain(error), unavailable: true };
  }
  if (outcome.kind === 'asked') return untilAnswered(state, session, outcome);
  await record(state, session, outcome);
  state.sessionEnded(session, outcome);
}

type Asked = Extract<LandingPermission, { kind: 'asked' }>;

/** Waits for the answer, which puts the session into the landing queue again; meanwhile other sessions work. */
async function untilAnswered(state: ProjectState, session: Session, asked: Asked): Promise<void> {
  state.landingAsked(session, asked);
  const isOver = () => session.phase !== 'asking' || state.mustStop;
  await condition(isOver);
  if (session.phase !== 'asking') return;
  const outcome: SessionOutcome = { kind: 'interrupted', reason: 'It was stopped.' };
  await record(state, session, outcome);
  state.sessionEnded(session, outcome);
}

async function land(state: ProjectState, session: Session): Promise<SessionOutcome | Asked> {
  const names = { projectId: state.projectId, sessionId: session.id };
  let { commit = '', reason = '', checksAdded: again = false } = session.verified ?? {};
  const permission = await step(() => git.permitLanding({ ...names, commit }));
  if (permission.kind === 'asked') return permission;
  if (permission.kind === 'refused') return { kind: 'failed', reason: permission.reason };
  let landing = 1;
  let inTheWay: string | undefined;
  for (let round = 1; round <= maxRounds; round += 1) {
    const merged = await step(() => git.mergeOntoHead({ ...names, commit, landing, again }));
    again = false;
    if ('refused' in merged) return { kind: 'failed', reason: merged.refused };
    if (merged.commit !== commit) {
      ({ commit, landing } = merged);
      const summary = `${session.claim?.feature} at ${commit.slice(0, 8)}, on the present head`;
      const verdict = await step(() =>
        containers.verifyFeature.executeWithOptions({ summary }, [{ ...names, commit, landing }]),
      );
      if (!verdict.passed) return { kind: 'failed', reason: verdict.reason };
      ({ reason } = verdict);
    }
    await verifyEarlier();
    const landed = await step(() => moveHead());
    if (landed.landed) return { kind: 'landed', reason };
    ({ inTheWay } = landed);
  }
  const what = `The work passed ${landing} times, but each time the project's folder had changed meanwhile (last time: ${inTheWay}).`;
  const advice = `The work is at refs/longhaul/sessions/${session.id}/${landing}. Add the files that keep changing to .gitignore.`;
  return { kind: 'interrupted', reason: `${what} ${advice}`, unavailable: true };

  /** If a pause interrupts it, it continues after the resume. */
  async function verifyEarlier(): Promise<void> {
    for (;;) {
      const { paused } = await step(() => containers.verifyEarlierFeatures({ ...names, commit, landing }));
      if (!paused) return;
      state.shownOtherwise();
    }
  }

  /** Retried for an hour while a person's git is in the way. It can be stopped between tries. */
  async function moveHead(): Promise<Landing> {
    const { workflowId, runId: workflowRunId } = workflowInfo();
    for (let tries = 1; ; tries += 1) {
      const request = { ...names, commit, landing, reason, tries, workflowId, workflowRunId };
      try {
        // It is never interrupted: the branch, the features and the checkpoint change together.
        return await CancellationScope.nonCancellable(() => git.landCommit(request));
      } catch (error) {
        if (failureType(error) !== 'RepositoryBusy' || tries >= triesToMoveHead) throw error;
        await sleep(growingPause(tries), { summary: "Waiting for a person's git in the project's folder" });
      }
    }
  }

  /** Starts only while nothing holds the project; if `pause --now` or an outage interrupts it, it is repeated after the resume. */
  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      await condition(() => state.mustStop || state.mayWork);
      try {
        const result = await stoppable(() => state.mustStop || state.hold?.now === true, work);
        if (result !== stopped) return result;
      } catch (error) {
        if (!isAway(error)) throw error;
        const who = `The session on "${session.claim?.feature}"`;
        state.wait(`${who} could not continue: ${explain(error)} \`resume\` tries again.`);
      }
      if (state.mustStop) throw new CancelledFailure('It was stopped.');
    }
  }
}

/** Stores the end of a session that did not land; `landCommit` itself stores a landing. */
async function record({ projectId }: ProjectState, { id: sessionId, verified }: Session, outcome: SessionOutcome) {
  const { kind, reason } = outcome;
  if (kind === 'failed') {
    await database.endSession({
      projectId,
      sessionId,
      status: 'FAILED',
      reason,
      lesson: reason,
      commit: verified?.commit,
    });
  } else if (kind === 'interrupted') {
    await database.endSession({ projectId, sessionId, status: 'INTERRUPTED', reason });
  }
}
