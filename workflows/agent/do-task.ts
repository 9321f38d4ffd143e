import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import type { RunOutcome } from '../../domain/project/messages.ts';
import type { AgentRun, RunLimits, RunRequest } from '../../domain/run/agent-run.ts';
import type { LoopState } from '../../domain/run/loop-detection.ts';
import { database, model } from '../activities.ts';
import { type Agent, agentLoop, type RunEnd, resetProgress, type TurnOutcome } from './agent-loop.ts';
import { actorOf } from './ask-model.ts';
import { type ExecutedBatch, executeCalls, runCall } from './execute-calls.ts';
import type { PauseGate } from './pause-gate.ts';
import { retryUntilAvailable } from './retry-until-available.ts';

/** The state of a project's run between two turns. */
export interface TaskState extends LoopState {
  /** Consecutive answers without a call. */
  silentTurns: number;
  /** How many of its proposals were refused. */
  refusals: number;
}

export const startOfTask: TaskState = { turn: 1, traces: [], silentTurns: 0, refusals: 0 };

/** An agent that answers three times in a row without calling a tool will not call one. */
const maxSilentTurns = 3;
/** Agents that plan, write checks or judge only read, so turns without a change do not count as stuck. */
const onlyReads = new Set<AgentRun['role']>(['planner', 'initializer', 'checks', 'changes', 'reviewer']);
/** The run ends when its proposal has been refused this often. */
const maxRefusals = 3;

/** Begins a run, or finds it begun: writes its first messages and finds its limits. */
export async function beginRun<Request extends RunRequest>(
  request: Request,
  gate: PauseGate,
): Promise<Request & RunLimits> {
  const limits = await gate.step(() => database.startRun(request));
  return { ...request, ...limits };
}

/** Runs an agent on a short task from beginning to end, within one workflow run. */
export async function runTask(
  request: RunRequest,
  gate: PauseGate,
  onTurn: (turn: number, maxTurns: number) => void,
): Promise<RunOutcome> {
  const run = await beginRun(request, gate);
  const end = await doTask(run, gate, { ...startOfTask }, { onTurn: (turn) => onTurn(turn, run.maxTurns) });
  const outcome = end.kind === 'ended' ? end.ending : { status: 'ENDED' as const, reason: 'It was stopped.' };
  await database.endRun({ projectId: run.owner.id, runId: run.runId, ...outcome });
  return outcome;
}

/**
 * Has an agent of a project do its task, until it calls a tool that ends its run, is stuck or has no turns left, or until `shouldYield` asks to stop
 * between turns; `state` then holds where to continue.
 */
export function doTask(
  run: AgentRun<'project'>,
  gate: PauseGate,
  state: TaskState,
  options: { onTurn?: (turn: number) => void; shouldYield?: () => boolean } = {},
): Promise<RunEnd<RunOutcome>> {
  const agent: Agent<RunOutcome> = {
    model,
    watchesIdleness: !onlyReads.has(run.role),

    beforeTurn(turn) {
      if (turn > run.maxTurns) return ended(`The agent used all of its ${run.maxTurns} turns without finishing.`);
      if (options.shouldYield?.()) return { kind: 'yield' };
      options.onTurn?.(turn);
      return { kind: 'continue' };
    },

    onAnswer(answer) {
      if ('status' in answer) return { kind: 'ended', ending: answer };
      state.silentTurns = answer.calls.length === 0 ? state.silentTurns + 1 : 0;
      return state.silentTurns >= maxSilentTurns ? ended(describeSilence(answer)) : { kind: 'continue' };
    },

    execute: (turn, answer) =>
      executeCalls(answer.calls, (call) =>
        retryUntilAvailable(actorOf(run), gate, () => runCall(run, turn, answer, call)),
      ),

    async afterTurn(answer, executed, stuck) {
      const outcome = outcomeOf(executed);
      if (outcome.kind !== 'continue' || stuck === undefined) return outcome;
      if (state.warned) return ended(stuck);
      const number = answer.messageNumber + answer.calls.length + (answer.undone ?? 0) + 1;
      const warning = { projectId: run.owner.id, runId: run.runId, turn: state.turn, number, reason: stuck };
      await gate.step(() => database.nudgeRun(warning));
      resetProgress(state);
      return { kind: 'continue' };
    },
  };

  function outcomeOf(executed: ExecutedBatch[]): TurnOutcome<RunOutcome> {
    for (const { ends, refusedProposal, preview } of executed.flatMap(({ results }) => results)) {
      if (ends) return { kind: 'ended', ending: { status: ends, reason: preview } };
      if (refusedProposal) state.refusals += 1;
      if (state.refusals >= maxRefusals) return ended(`The proposal was refused ${maxRefusals} times: ${preview}`);
    }
    return { kind: 'continue' };
  }

  return agentLoop(run, gate, state, agent);
}

function describeSilence({ cutOff }: AnswerSummary): string {
  const silence = `The agent answered ${maxSilentTurns} times without calling a tool.`;
  return cutOff
    ? `${silence} The last answer was cut off at the token limit: \`maxOutputTokens\`, or the model's own.`
    : silence;
}

function ended(reason: string): { kind: 'ended'; ending: RunOutcome } {
  return { kind: 'ended', ending: { status: 'ENDED', reason } };
}
