import { getExternalWorkflowHandle, isCancellation, patched } from '@temporalio/workflow';
import type { AnswerSummary } from '../activities/call-model.ts';
import type { Compaction, CompactionOutcome } from '../activities/compaction/compact-run.ts';
import type { Role } from '../agents/role.ts';
import { database, model, tools } from './activities.ts';
import { inBatches } from './batches.ts';
import { explain } from './failures.ts';
import { pauseSignal, type RunOutcome } from './messages.ts';
import type { PauseGate } from './pause-gate.ts';
import { type CallTrace, defaultStuckLimits, findCircle, movesOn, remember, type StuckLimits } from './stuck.ts';

/** One run of one agent; ids only, its words are in the transcript. */
export interface AgentRun {
  projectId: string;
  runId: string;
  role: Role;
  maxTurns: number;
  /** From when on it counts as stuck, where a project sets that. */
  stuck?: Partial<StuckLimits>;
  sessionId?: string;
  /** The run that delegates to it, whose budget is its own too. */
  parentRunId?: string;
  /** The sandbox that the run's tools work in. */
  sandbox?: string;
  feature?: string;
  attempt?: number;
}

/** Where a run stands between two turns. */
export interface AgentRunState {
  turn: number;
  traces: CallTrace[];
  /** Answers without a call, one after the other. */
  silentTurns: number;
  /** Proposals that were refused. */
  refusals: number;
  /** Turns in which nothing moved, one after the other. */
  idleTurns?: number;
  /** It was told once that it is stuck. */
  nudged?: boolean;
}

export const startOfRun: AgentRunState = { turn: 1, traces: [], silentTurns: 0, refusals: 0 };

/** An agent that answers thrice without calling a tool will not call one. */
const maxSilentTurns = 3;
/** A proposal is sent back with what is wrong at most this often. */
const maxRefusals = 3;

/**
 * Takes turns, one model call and the tool calls that it asked for, until the agent ends its run, repeats itself or has no turns left.
 * Returns null where `shouldYield` asked for a pause between turns; `state` then holds where to go on.
 */
export async function agentLoop(
  run: AgentRun,
  gate: PauseGate,
  state: AgentRunState,
  options: { onTurn?: (turn: number) => void; shouldYield?: () => boolean } = {},
): Promise<RunOutcome | null> {
  for (; state.turn <= run.maxTurns; state.turn += 1) {
    if (options.shouldYield?.()) return null;
    options.onTurn?.(state.turn);
    const outcome = await takeTurn(run, gate, state);
    if (outcome) return outcome;
  }
  return ended(`It used all of its ${run.maxTurns} turns without finishing.`);
}

async function takeTurn(run: AgentRun, gate: PauseGate, state: AgentRunState): Promise<RunOutcome | null> {
  const { turn } = state;
  const answer = await askModel(run, gate, turn);
  if ('status' in answer) return answer;
  state.silentTurns = answer.calls.length === 0 ? state.silentTurns + 1 : 0;
  if (state.silentTurns >= maxSilentTurns) return ended(`It answered ${maxSilentTurns} times without calling a tool.`);

  const limits = { ...defaultStuckLimits, ...run.stuck };
  let moved = false;
  let circle: string | undefined;
  for (const batch of inBatches(answer.calls)) {
    const results = await Promise.all(
      batch.map((call) =>
        gate.step(() =>
          tools.runTool.executeWithOptions({ summary: call.summary }, [
            { ...run, turn, position: call.position, messageNumber: answer.messageNumber + 1 + call.position },
          ]),
        ),
      ),
    );
    for (const result of results) {
      if (result.ends) return { status: result.ends, reason: result.preview };
      if (result.refusedProposal) state.refusals += 1;
      if (state.refusals >= maxRefusals)
        return ended(`Its proposal was refused ${maxRefusals} times: ${result.preview}`);
    }
    moved ||= movesOn(state.traces, results);
    state.traces = remember(state.traces, results, limits);
    const count = findCircle(state.traces, limits);
    if (count !== undefined) {
      const name = batch.at(-1)?.name;
      circle ??= `It called ${name} ${count} times in a row with the same arguments and the same result.`;
    }
  }
  state.idleTurns = moved || answer.calls.length === 0 ? 0 : (state.idleTurns ?? 0) + 1;
  const stuck = circle ?? findIdleness(run, state.idleTurns, limits);
  if (stuck === undefined) return null;
  // Runs that began before there was a nudge ended at once, and were never looked at for idleness.
  if (!patched('nudge-when-stuck')) return circle === undefined ? null : ended(circle);
  if (state.nudged) return ended(stuck);
  const number = answer.messageNumber + answer.calls.length + 1;
  await gate.step(() => database.nudgeRun({ projectId: run.projectId, runId: run.runId, turn, number, reason: stuck }));
  state.nudged = true;
  state.traces = [];
  state.idleTurns = 0;
  return null;
}

/** The model's answer of a turn, with budgets raised and older turns summarized before it where that has to be; or why there is none. */
async function askModel(run: AgentRun, gate: PauseGate, turn: number): Promise<AnswerSummary | RunOutcome> {
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
      const failure = await compact(run, gate, { ...run, turn, ...answer.compact });
      if (failure !== undefined) return outOfRoom(`, and its older turns could not be summarized (${failure})`);
    } else if (answer.contextFull !== undefined) {
      return outOfRoom(` (${answer.contextFull})`);
    } else if (answer.refused !== undefined) {
      return ended(`The model would not answer: ${answer.refused}`);
    } else {
      return answer;
    }
  }
}

/** Has older turns summarized; returns what went wrong where they cannot be. Each one goes further than the last, so they come to an end. */
async function compact(run: AgentRun, gate: PauseGate, request: Compaction): Promise<string | undefined> {
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
function holdForPause(gate: PauseGate, resumesBefore: number): void {
  if (gate.resumes === resumesBefore) gate.hold();
}

async function waitForBudget(run: AgentRun, gate: PauseGate, reason: string): Promise<void> {
  gate.hold();
  await getExternalWorkflowHandle(run.projectId).signal(pauseSignal, { reason, budget: true });
}

function outOfRoom(why: string): RunOutcome {
  return ended(`Its conversation no longer fits the model${why}. The next attempt begins with what was noted.`);
}

/** Why a run that is to change something does not get on; planning is reading. */
function findIdleness({ role }: AgentRun, idleTurns: number, limits: StuckLimits): string | undefined {
  if (role === 'planner' || role === 'initializer' || idleTurns < limits.idleTurns) return undefined;
  return `For ${idleTurns} turns it changed no file and no note, and no command showed anything new.`;
}

function ended(reason: string): RunOutcome {
  return { status: 'ENDED', reason };
}
