import { isCancellation, TemporalFailure } from '@temporalio/workflow';
import type { Compaction, CompactionOutcome } from '../../activities/compaction/compact-run.ts';
import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import type { SpendingStop } from '../../domain/project/budgets.ts';
import type { RunOutcome } from '../../domain/project/messages.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { expectOwner } from '../../domain/run/run-owner.ts';
import type { model as modelActivities } from '../activities.ts';
import { explain } from '../failures.ts';
import type { PauseGate } from './pause-gate.ts';
import { type Actor, holdProject, waitUntilAvailable } from './retry-until-available.ts';

export type Gate = Pick<PauseGate, 'step' | 'resumes' | 'hold'>;
export type ModelActivities = Pick<typeof modelActivities, 'callModel' | 'compactRun'>;

/** Gets the model's answer for a turn, waiting for budgets and summarizing older turns if necessary; or returns why there is none. */
export async function askModel(
  run: AgentRun,
  gate: Gate,
  turn: number,
  model: ModelActivities,
): Promise<AnswerSummary | RunOutcome> {
  let asked = { ...run, turn };
  for (;;) {
    const { resumes } = gate;
    let answer: AnswerSummary;
    try {
      answer = await gate.step(() =>
        model.callModel.executeWithOptions({ summary: `${run.role}, turn ${turn}` }, [asked]),
      );
    } catch (error) {
      await waitUntilAvailable(actorOf(run), gate, error);
      continue;
    }
    if (answer.paused) {
      holdForPause(gate, resumes);
    } else if (answer.overBudget !== undefined) {
      if (run.owner.kind === 'run') return ended(answer.overBudget.reason);
      await waitForBudget(run, gate, answer.overBudget);
    } else if (answer.compact !== undefined) {
      const failure = await compact(run, gate, model, { ...run, turn, ...answer.compact });
      if (failure === undefined) continue;
      if (!answer.compact.optional) return outOfRoom(run, `, and its older turns could not be summarized (${failure})`);
      const { answerTokens: _, ...whole } = asked;
      asked = whole;
    } else if (answer.contextFull !== undefined) {
      return outOfRoom(run, ` (${answer.contextFull})`);
    } else if (answer.refused !== undefined) {
      return ended(`The model refused to answer: ${answer.refused}`);
    } else {
      return answer;
    }
  }
}

/**
 * Has older turns summarized; returns why they cannot be. Each summary goes further than the last, so their number is limited. The run waits for an
 * unreachable summarizer as for an unreachable model: an outage says nothing about the conversation.
 */
async function compact(
  run: AgentRun,
  gate: Gate,
  model: ModelActivities,
  request: Compaction,
): Promise<string | undefined> {
  for (;;) {
    const { resumes } = gate;
    let outcome: CompactionOutcome;
    try {
      outcome = await gate.step(() => model.compactRun(request));
    } catch (error) {
      if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
      if (request.optional) return explain(error).slice(0, 300); // a summary that only makes room may fail
      await waitUntilAvailable(actorOf(run), gate, error);
      continue;
    }
    if (outcome.paused) {
      holdForPause(gate, resumes);
    } else if (outcome.overBudget !== undefined) {
      if (run.owner.kind === 'run') return outcome.overBudget.reason;
      await waitForBudget(run, gate, outcome.overBudget);
    } else {
      return outcome.failure;
    }
  }
}

/** Holds for a pause whose signal may not have arrived yet, unless a resume that arrived meanwhile has ended it. */
export function holdForPause(gate: Pick<PauseGate, 'resumes' | 'hold'>, resumesBefore: number): void {
  if (gate.resumes === resumesBefore) gate.hold();
}

/** If a budget was raised or a request answered meanwhile, the project lets the run continue at once. */
async function waitForBudget(
  { owner }: AgentRun,
  gate: Gate,
  { reason, budgets, byRule }: SpendingStop,
): Promise<void> {
  await holdProject(expectOwner(owner, 'project'), gate, {
    reason,
    budget: true,
    budgets,
    ...(byRule && { waiting: true, ...byRule }),
  });
}

/** Names the run to a person if it cannot continue. */
export function actorOf({ owner, role }: AgentRun): Actor {
  return { owner, who: `The ${role} agent` };
}

function outOfRoom({ owner }: AgentRun, why: string): RunOutcome {
  const next = owner.kind === 'project' ? 'The next attempt starts with the notes.' : 'A new chat starts without it.';
  return ended(`The conversation no longer fits the model's window${why}. ${next}`);
}

function ended(reason: string): RunOutcome {
  return { status: 'ENDED', reason };
}
