import { patched } from '@temporalio/workflow';
import type { AnswerSummary } from '../activities/call-model.ts';
import type { Role } from '../agents/role.ts';
import type { RunOwner } from '../db/run-owner.ts';
import { database, model } from './activities.ts';
import { actorOf, askModel } from './ask-model.ts';
import { inBatches, sideBySide } from './batches.ts';
import type { RunOutcome } from './messages.ts';
import { outlast } from './outlast.ts';
import type { PauseGate } from './pause-gate.ts';
import { runCall } from './run-call.ts';
import { type CallTrace, defaultStuckLimits, findCircle, movesOn, remember, type StuckLimits } from './stuck.ts';

/** One run of one agent, in a project or a chat; only ids, since its words are in the transcript. */
export type AgentRun = RunOwner & RunParts;

export type ProjectRun = RunParts & { projectId: string; chatId?: undefined };

interface RunParts {
  runId: string;
  role: Role;
  maxTurns: number;
  /** For an agent that talks with a person: the most tokens that the answer to one message may take. */
  answerTokens?: number;
  /** For such an agent: why this is the last call of its model, in which it has to say what it found. */
  lastCall?: string;
  /** When it counts as stuck, if its project sets that. */
  stuck?: Partial<StuckLimits>;
  sessionId?: string;
  /** The run that delegates to it, whose budget it shares. */
  parentRunId?: string;
  /** The sandbox that the run's tools work in. */
  sandbox?: string;
  feature?: string;
  attempt?: number;
  /** Set if it must leave no trace beyond its transcript. */
  memory?: false;
}

/** The state of a run between two turns. */
export interface AgentRunState {
  turn: number;
  traces: CallTrace[];
  /** Consecutive answers without a call. */
  silentTurns: number;
  /** How many of its proposals were refused. */
  refusals: number;
  /** Consecutive turns without progress. */
  idleTurns?: number;
  /** Whether it was already told that it is stuck. */
  nudged?: boolean;
}

export const startOfRun: AgentRunState = { turn: 1, traces: [], silentTurns: 0, refusals: 0 };

/** An agent that answers three times in a row without calling a tool will not call one. */
const maxSilentTurns = 3;
/** The run ends when its proposal has been refused this often. */
const maxRefusals = 3;

/**
 * Takes turns, each one model call and the tool calls that it asks for, until the agent ends its run, repeats itself or has no turns left. Returns
 * null if `shouldYield` asked to stop between turns; `state` then holds where to continue.
 */
export async function agentLoop(
  run: ProjectRun,
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

async function takeTurn(run: ProjectRun, gate: PauseGate, state: AgentRunState): Promise<RunOutcome | null> {
  const { turn } = state;
  const answer = await askModel(run, gate, turn, model);
  if ('status' in answer) return answer;
  state.silentTurns = answer.calls.length === 0 ? state.silentTurns + 1 : 0;
  if (state.silentTurns >= maxSilentTurns) return ended(tellSilence(answer));

  const limits = { ...defaultStuckLimits, ...run.stuck };
  let moved = false;
  let circle: string | undefined;
  for (const batch of inBatches(answer.calls)) {
    const results = await sideBySide(batch, (call) =>
      outlast(actorOf(run), gate, () => runCall(run, turn, answer, call)),
    );
    for (const result of results) {
      if (result.ends) return { status: result.ends, reason: result.preview };
      if (result.refusedProposal) state.refusals += 1;
      if (state.refusals >= maxRefusals)
        return ended(`Its proposal was refused ${maxRefusals} times: ${result.preview}`);
    }
    // In older histories a change counted even if an earlier call had already made it.
    moved ||=
      movesOn(state.traces, results) || (results.some(({ changes }) => changes) && !patched('repeated-change-is-idle'));
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
  // In older histories a stuck run ended at once, and idleness was not checked.
  if (!patched('nudge-when-stuck')) return circle === undefined ? null : ended(circle);
  if (state.nudged) return ended(stuck);
  const number = answer.messageNumber + answer.calls.length + (answer.undone ?? 0) + 1;
  await gate.step(() => database.nudgeRun({ projectId: run.projectId, runId: run.runId, turn, number, reason: stuck }));
  state.nudged = true;
  state.traces = [];
  state.idleTurns = 0;
  return null;
}

/** Why a run that should change something makes no progress; planning only reads, so it is exempt. */
function findIdleness({ role }: ProjectRun, idleTurns: number, limits: StuckLimits): string | undefined {
  if (role === 'planner' || role === 'initializer' || idleTurns < limits.idleTurns) return undefined;
  return `For ${idleTurns} turns it changed no file and no note, and no command showed anything new.`;
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
