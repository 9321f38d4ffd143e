import { patched } from '@temporalio/workflow';
import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import type { ToolSummary } from '../../activities/tools/run-tool.ts';
import type { RunOutcome } from '../../domain/project/messages.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { type CallTrace, defaultStuckLimits, findCircle, movesOn, remember } from '../../domain/run/loop-detection.ts';
import { askModel, type Gate, type ModelActivities } from './ask-model.ts';
import { inBatches } from './batches.ts';

type Call = AnswerSummary['calls'][number];

/** The state of a run between two turns. */
export interface LoopState {
  turn: number;
  traces: CallTrace[];
  /** Consecutive turns without progress. */
  idleTurns?: number;
  /** Whether it was already told that it is stuck. */
  nudged?: boolean;
}

/** Why an agent makes no progress. */
export interface Stuck {
  reason: string;
  /** It repeats a call, rather than doing nothing that matters. */
  isCircle: boolean;
}

/**
 * What sets a kind of agent apart: how its calls are executed and what ends its run. Where a function may return an ending, undefined means that the
 * run goes on.
 */
export interface AgentKind<Ending> {
  /** The activities by which its model is asked. */
  model: ModelActivities;
  /** Whether it is stuck, too, if it changes nothing for many turns. */
  watchesIdleness: boolean;
  beforeTurn(turn: number): Ending | undefined;
  /** What its model is told with the next call alone. */
  aside?(): Pick<AgentRun, 'lastCall' | 'nudge'>;
  /** The model gave no answer. */
  unanswered(outcome: RunOutcome): Ending;
  /** The model answered; the calls of the answer are not executed yet. */
  answered(answer: AnswerSummary): Ending | undefined;
  /** Which calls of an answer are executed; by default all. */
  callsOf?(answer: AnswerSummary): Call[];
  execute(turn: number, answer: AnswerSummary, call: Call): Promise<ToolSummary>;
  /** Called after each batch of calls that ran side by side; `enough` leaves the other calls of the answer undone. */
  executed(results: ToolSummary[]): Ending | 'enough' | undefined;
  /** Called after a turn that completed a circle, or was one idle turn too many. */
  stuck(stuck: Stuck, answer: AnswerSummary): Promise<Ending | undefined> | Ending | undefined;
  afterTurn?(answer: AnswerSummary): Ending | undefined;
}

/**
 * The loop of every agent: takes turns, each one model call and the tool calls that it asks for, until something ends the run. `state` says
 * where to begin, and where the run is whenever it ends.
 */
export async function agentLoop<Ending extends object | null>(
  run: AgentRun,
  gate: Gate,
  state: LoopState,
  kind: AgentKind<Ending>,
): Promise<Ending> {
  for (; ; state.turn += 1) {
    const { turn } = state;
    let ending = kind.beforeTurn(turn);
    if (ending !== undefined) return ending;
    const answer = await askModel({ ...run, ...kind.aside?.() }, gate, turn, kind.model);
    if ('status' in answer) return kind.unanswered(answer);
    ending = kind.answered(answer);
    if (ending !== undefined) return ending;

    const watch = watchTurn(run, state, kind);
    for (const batch of inBatches(kind.callsOf?.(answer) ?? answer.calls)) {
      const running = batch.map((call) => kind.execute(turn, answer, call));
      // A single call is spared what `Promise.all` adds; see `step` of the pause gate.
      const [first] = running;
      const results = first && running.length === 1 ? [await first] : await Promise.all(running);
      const then = kind.executed(results);
      if (then === 'enough') break;
      if (then !== undefined) return then;
      watch.see(batch, results);
    }
    const stuck = watch.find(answer.calls.length > 0);
    if (stuck !== undefined) ending = await kind.stuck(stuck, answer);
    if (ending === undefined) ending = kind.afterTurn?.(answer);
    if (ending !== undefined) return ending;
  }
}

/** To be called when an agent was told that it is stuck: what it did before no longer counts. */
export function beginAnew(state: LoopState): void {
  state.nudged = true;
  state.traces = [];
  state.idleTurns = 0;
}

/** Watches whether a turn makes progress. */
function watchTurn(run: AgentRun, state: LoopState, { watchesIdleness }: Pick<AgentKind<unknown>, 'watchesIdleness'>) {
  const limits = { ...defaultStuckLimits, ...run.stuck };
  let moved = false;
  let circle: string | undefined;

  function see(batch: Call[], results: ToolSummary[]): void {
    if (watchesIdleness) moved ||= movesOn(state.traces, results) || countsAsBefore(results);
    state.traces = remember(state.traces, results, limits);
    const count = findCircle(state.traces, limits);
    if (count === undefined) return;
    const name = batch[results.findLastIndex(({ repeats }) => !repeats)]?.name;
    circle ??= `It called ${name} ${count} times in a row with the same arguments and the same result.`;
  }

  function find(hasCalls: boolean): Stuck | undefined {
    state.idleTurns = moved || !hasCalls ? 0 : (state.idleTurns ?? 0) + 1;
    if (circle !== undefined) return { reason: circle, isCircle: true };
    if (!watchesIdleness || state.idleTurns < limits.idleTurns) return undefined;
    const reason = `For ${state.idleTurns} turns it changed no file and no note, and no command showed anything new.`;
    return { reason, isCircle: false };
  }

  return { see, find };
}

/** In older histories a change counted even if an earlier call had already made it. */
function countsAsBefore(results: ToolSummary[]): boolean {
  return results.some(({ changes }) => changes) && !patched('repeated-change-is-idle');
}
