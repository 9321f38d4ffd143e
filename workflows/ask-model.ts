import { getExternalWorkflowHandle, isCancellation } from '@temporalio/workflow';
import type { AnswerSummary } from '../activities/call-model.ts';
import type { Compaction, CompactionOutcome } from '../activities/compaction/compact-run.ts';
import type { model as modelActivities } from './activities.ts';
import type { AgentRun } from './agent-loop.ts';
import { explain } from './failures.ts';
import { pauseSignal, type RunOutcome } from './messages.ts';
import type { PauseGate } from './pause-gate.ts';

type Gate = Pick<PauseGate, 'step' | 'resumes' | 'hold'>;
type ModelActivities = Pick<typeof modelActivities, 'callModel' | 'compactRun'>;

/** The model's answer of a turn, with budgets raised and older turns summarized before it where that has to be; or why there is none. */
export async function askModel(
  run: AgentRun,
  gate: Gate,
  turn: number,
  model: ModelActivities,
): Promise<AnswerSummary | RunOutcome> {
  for (;;) {
    const { resumes } = gate;
    const answer = await gate.step(() =>
      model.callModel.executeWithOptions({ summary: `${run.role}, turn ${turn}` }, [{ ...run, turn }]),
    );
    if (answer.paused) {
      holdForPause(gate, resumes);
    } else if (answer.overBudget !== undefined) {
      await waitForBudget(run, gate, answer.overBudget);
    } else if (answer.compact !== undefined) {
      const failure = await compact(run, gate, model, { ...run, turn, ...answer.compact });
      if (failure !== undefined) return outOfRoom(run, `, and its older turns could not be summarized (${failure})`);
    } else if (answer.contextFull !== undefined) {
      return outOfRoom(run, ` (${answer.contextFull})`);
    } else if (answer.refused !== undefined) {
      return ended(`The model would not answer: ${answer.refused}`);
    } else {
      return answer;
    }
  }
}

/** Has older turns summarized; returns what went wrong where they cannot be. Each one goes further than the last, so they come to an end. */
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
      if (isCancellation(error)) throw error;
      return explain(error).slice(0, 300);
    }
    if (outcome.paused) {
      holdForPause(gate, resumes);
    } else if (outcome.overBudget !== undefined) {
      await waitForBudget(run, gate, outcome.overBudget);
    } else {
      return outcome.failure;
    }
  }
}

/** The project is paused, of which its signal may not have told yet; a resume that came meanwhile has ended that pause. */
function holdForPause(gate: Gate, resumesBefore: number): void {
  if (gate.resumes === resumesBefore) gate.hold();
}

async function waitForBudget({ projectId }: AgentRun, gate: Gate, reason: string): Promise<void> {
  if (projectId === undefined) throw new Error(`Expected no budget in a chat, got: ${reason}`);
  gate.hold();
  await getExternalWorkflowHandle(projectId).signal(pauseSignal, { reason, budget: true });
}

function outOfRoom({ chatId }: AgentRun, why: string): RunOutcome {
  const next = chatId === undefined ? 'The next attempt begins with what was noted.' : 'A new chat begins without it.';
  return ended(`Its conversation no longer fits the model${why}. ${next}`);
}

function ended(reason: string): RunOutcome {
  return { status: 'ENDED', reason };
}
