import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import type { RunOutcome } from '../../domain/project/messages.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { defaultStuckLimits, findLoop, type LoopState, movesOn, remember } from '../../domain/run/loop-detection.ts';
import { inSpan } from '../tracing/spans.ts';
import { agentSpan } from './agent-span.ts';
import { askModel, type Gate, type ModelActivities } from './ask-model.ts';
import type { ExecutedBatch } from './execute-calls.ts';

/** Whether a run continues, continues as a new workflow first, or has ended. */
export type TurnOutcome<Ending> = { kind: 'continue' } | RunEnd<Ending>;
export type RunEnd<Ending> = { kind: 'yield' } | { kind: 'ended'; ending: Ending };

/** How kinds of agents differ. */
export interface Agent<Ending> {
  /** The activities that call its model. */
  model: ModelActivities;
  /** Whether many turns without a change also count as stuck. */
  watchesIdleness: boolean;
  /** May add a text to the next model call only. */
  beforeTurn(turn: number): TurnOutcome<Ending> & { aside?: Pick<AgentRun, 'lastCall' | 'nudge'> };
  /** The model answered or did not; the calls of the answer are not executed yet. */
  onAnswer(answer: AnswerSummary | RunOutcome): TurnOutcome<Ending>;
  execute(turn: number, answer: AnswerSummary): Promise<ExecutedBatch[]>;
  /** `stuck` says why the agent seems to make no progress. */
  afterTurn(answer: AnswerSummary, executed: ExecutedBatch[], stuck?: string): Promise<TurnOutcome<Ending>>;
}

/** Runs an agent's turns, as one span of a trace, until the run ends. */
export function agentLoop<Ending>(
  run: AgentRun,
  gate: Gate,
  state: LoopState,
  agent: Agent<Ending>,
): Promise<RunEnd<Ending>> {
  const work = () => loop(run, gate, state, agent);
  return run.owner.kind === 'run' ? work() : inSpan(agentSpan(run), work); // of a user's agent the whole workflow is the span
}

/** The loop of every agent: query the model, execute the calls of its answer, decide what follows. */
async function loop<Ending>(
  run: AgentRun,
  gate: Gate,
  state: LoopState,
  agent: Agent<Ending>,
): Promise<RunEnd<Ending>> {
  for (; ; state.turn += 1) {
    const before = agent.beforeTurn(state.turn);
    if (before.kind !== 'continue') return before;
    const answer = await askModel({ ...run, ...before.aside }, gate, state.turn, agent.model);
    const answered = agent.onAnswer(answer);
    if (answered.kind !== 'continue') return answered;
    if ('status' in answer) throw new Error(`Expected the run to end after its model gave no answer: ${answer.reason}`);
    const executed = await agent.execute(state.turn, answer);
    const after = await agent.afterTurn(answer, executed, findStuck(run, state, executed, agent.watchesIdleness));
    if (after.kind !== 'continue') return after;
  }
}

/** Call this after a warning: earlier calls no longer count. */
export function resetProgress(state: LoopState): void {
  state.warned = true;
  state.traces = [];
  state.idleTurns = 0;
}

/** Adds a turn's calls to the state; returns why the agent seems stuck, or undefined. */
function findStuck(
  run: AgentRun,
  state: LoopState,
  executed: ExecutedBatch[],
  watchesIdleness: boolean,
): string | undefined {
  const limits = { ...defaultStuckLimits, ...run.stuck };
  let moved = executed.length === 0;
  let loop: string | undefined;
  for (const { calls, results } of executed) {
    moved ||= movesOn(state.traces, results);
    state.traces = remember(state.traces, results, limits);
    const count = findLoop(state.traces, limits);
    if (count === undefined) continue;
    const name = calls[results.findLastIndex(({ repeats }) => !repeats)]?.name;
    loop ??= `The agent called ${name} ${count} times in a row with the same arguments and the same result.`;
  }
  state.idleTurns = moved ? 0 : (state.idleTurns ?? 0) + 1;
  if (loop !== undefined || !watchesIdleness || state.idleTurns < limits.idleTurns) return loop;
  return `For ${state.idleTurns} turns the agent changed no file or note, and no command showed anything new.`;
}
