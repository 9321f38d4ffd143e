import { patched } from '@temporalio/workflow';
import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import type { RunOutcome } from '../../domain/project/messages.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { database, model } from '../activities.ts';
import { type AgentKind, agentLoop, beginAnew, type LoopState } from './agent-loop.ts';
import { actorOf } from './ask-model.ts';
import type { PauseGate } from './pause-gate.ts';
import { outlast } from './retry-until-available.ts';
import { runCall } from './run-call.ts';

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
/** Agents that plan change nothing for as long as they like. */
const onlyReads = new Set<AgentRun['role']>(['planner', 'initializer']);
/** The run ends when its proposal has been refused this often. */
const maxRefusals = 3;

/**
 * Has an agent of a project do its task, until it calls a tool that ends its run, is stuck or has no turns left. Returns null if `shouldYield` asked
 * to stop between turns; `state` then holds where to continue.
 */
export function doTask(
  run: AgentRun<'project'>,
  gate: PauseGate,
  state: TaskState,
  options: { onTurn?: (turn: number) => void; shouldYield?: () => boolean } = {},
): Promise<RunOutcome | null> {
  const actor = actorOf(run);
  const kind: AgentKind<RunOutcome | null> = {
    model,
    watchesIdleness: !onlyReads.has(run.role),
    beforeTurn(turn) {
      if (turn > run.maxTurns) return ended(`It used all of its ${run.maxTurns} turns without finishing.`);
      if (options.shouldYield?.()) return null;
      options.onTurn?.(turn);
      return undefined;
    },
    unanswered: (outcome) => outcome,
    answered(answer) {
      state.silentTurns = answer.calls.length === 0 ? state.silentTurns + 1 : 0;
      return state.silentTurns >= maxSilentTurns ? ended(tellSilence(answer)) : undefined;
    },
    execute: (turn, answer, call) => outlast(actor, gate, () => runCall(run, turn, answer, call)),
    executed(results) {
      for (const { ends, refusedProposal, preview } of results) {
        if (ends) return { status: ends, reason: preview };
        if (refusedProposal) state.refusals += 1;
        if (state.refusals >= maxRefusals) return ended(`Its proposal was refused ${maxRefusals} times: ${preview}`);
      }
      return undefined;
    },
    async stuck({ reason, isCircle }, answer) {
      // In older histories a stuck run ended at once, and idleness was not checked.
      if (!patched('nudge-when-stuck')) return isCircle ? ended(reason) : undefined;
      if (state.nudged) return ended(reason);
      const { owner, runId } = run;
      const number = answer.messageNumber + answer.calls.length + (answer.undone ?? 0) + 1;
      await gate.step(() => database.nudgeRun({ projectId: owner.id, runId, turn: state.turn, number, reason }));
      beginAnew(state);
      return undefined;
    },
  };
  return agentLoop(run, gate, state, kind);
}

function tellSilence({ cutOff }: AnswerSummary): string {
  const told = `It answered ${maxSilentTurns} times without calling a tool.`;
  return cutOff
    ? `${told} The last answer was cut off at its limit of tokens: \`maxOutputTokens\`, or the model's own.`
    : told;
}

function ended(reason: string): RunOutcome {
  return { status: 'ENDED', reason };
}
