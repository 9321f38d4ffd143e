import { type CancellationScope, patched } from '@temporalio/workflow';
import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import {
  type ChatLimits,
  findLastCall,
  findReachedLimit,
  howToGoOn,
  tellCircle,
  tooManyCalls,
} from '../../domain/chat/limits.ts';
import type { ExchangeStatus } from '../../domain/project/statuses.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { chatModel } from '../activities.ts';
import { type AgentKind, agentLoop, beginAnew, type LoopState } from '../agent/agent-loop.ts';
import type { Gate } from '../agent/ask-model.ts';
import type { PauseGate } from '../agent/pause-gate.ts';
import { explain } from '../failures.ts';
import { wasCancelled } from '../was-cancelled.ts';
import { type Delegates, runChatCall } from './run-chat-call.ts';

/** How often an answer that breaks off at its limit of tokens goes on; a model that repeats itself breaks off each time. */
const mostContinuations = 3;

/** How the answer to a message ended. */
export interface ExchangeEnding {
  status: ExchangeStatus;
  reason?: string;
}

interface AnswerWatch {
  onTurn(modelCall: number): void;
  onCall?(tool: string): void;
  /** Collects the children at work. */
  delegates?: Delegates;
}

/**
 * Has an agent answer a message, until its model does so in words. Where a limit is reached, or the agent goes in a circle although it was told so,
 * the model is told to say what it found, in a last call whose tool calls are not executed. What that leaves undone gets its result then, or when
 * the exchange ends.
 */
export async function answerMessage(
  run: AgentRun,
  gate: Gate & Pick<PauseGate, 'paused'>,
  firstTurn: number,
  limits: ChatLimits,
  { onTurn, onCall, delegates = new Set() }: AnswerWatch,
): Promise<ExchangeEnding> {
  const state: LoopState = { turn: firstTurn, traces: [] };
  const spent = { modelCalls: 0, toolCalls: 0, tokens: 0 };
  const only = limits.modelCalls === 1 ? findLastCall(spent, 0, limits) : undefined;
  // In older histories the tools that an only call asked for were run, and nothing could be said of what they found.
  const isOnly = only !== undefined && patched('an-only-call-answers-in-words');
  /** Why the next model call is the last one. */
  let lastCall = isOnly ? only : undefined;
  /** The agent goes in a circle, which it is told with the next model call. */
  let nudge: string | undefined;
  /** How often in a row the answer broke off and went on. */
  let continuations = 0;
  /** Why of the next model call only the rest of the answer is wanted, and no calls. */
  let onlyRest: string | undefined;

  const kind: AgentKind<ExchangeEnding> = {
    model: chatModel,
    watchesIdleness: false, // who talks or looks something up need not change anything
    beforeTurn() {
      onTurn(spent.modelCalls + 1);
      return undefined;
    },
    aside() {
      if (lastCall !== undefined) return { lastCall };
      return nudge === undefined ? {} : { nudge };
    },
    unanswered({ reason }) {
      if (continuations > 0) return brokenOff(reason);
      return lastCall === undefined || isOnly ? { status: 'FAILED', reason } : unasked(lastCall, reason);
    },
    answered(answer) {
      const { tokens = 0, calls, wording } = answer;
      nudge = undefined;
      spent.modelCalls += 1;
      spent.tokens += tokens;
      if (lastCall !== undefined && !(isOnly && calls.length === 0)) return limited(lastCall);
      if (goesOn(answer)) return undefined;
      // What it says to a request to go on is the rest of its answer; nothing is no rest.
      if (calls.length === 0) return continuations > 0 && wording === 'none' ? brokenOff() : endingOf(wording);
      if (onlyRest !== undefined) return limited(onlyRest);
      continuations = 0;
      for (const { name } of within(calls)) onCall?.(name);
      return undefined;
    },
    callsOf: ({ calls }) => within(calls),
    execute: (turn, answer, call) => runChatCall(run, turn, answer, call, gate, delegates),
    executed(results) {
      const delegated = results.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
      spent.tokens += delegated;
      // Each delegation may take half of the limit, so once the limit is reached no further one is started.
      return delegated > 0 && spent.tokens >= limits.tokens ? 'enough' : undefined;
    },
    stuck({ reason }) {
      // In older histories nobody watched whether an agent that answers goes in a circle.
      if (!patched('watches-for-circles')) return undefined;
      if (state.nudged) {
        lastCall = tellCircle(reason);
      } else {
        nudge = reason;
        beginAnew(state);
      }
      return undefined;
    },
    afterTurn({ calls, tokens = 0 }) {
      if (calls.length === 0) return undefined; // the answer broke off, and goes on
      const executed = within(calls).length;
      spent.toolCalls += executed;
      const isCut = executed < calls.length;
      const reached = isCut ? tooManyCalls(limits) : findReachedLimit(spent, limits);
      if (reached !== undefined && spent.modelCalls >= limits.modelCalls) return limited(reached);
      const next = isCut ? reached : findLastCall(spent, tokens, limits);
      if (next === undefined) return undefined;
      // In older histories an answer that reached a limit ended without words.
      if (!patched('last-call-says-what-was-found')) return reached === undefined ? undefined : limited(reached);
      lastCall = next;
      return undefined;
    },
  };

  /** Whether an answer broke off and the model is asked for the rest of it, which the next request tells it. */
  function goesOn({ calls, wording, tokens = 0 }: AnswerSummary): boolean {
    if (calls.length > 0 || wording !== 'cut-off') return false;
    if (continuations >= mostContinuations || findReachedLimit(spent, limits) !== undefined) return false;
    // In older histories the answer ended where it broke off.
    if (!patched('goes-on-where-it-broke-off')) return false;
    continuations += 1;
    onlyRest = findLastCall(spent, tokens, limits);
    return true;
  }

  function within(calls: AnswerSummary['calls']): AnswerSummary['calls'] {
    return calls.slice(0, limits.toolCalls - spent.toolCalls);
  }

  try {
    return await agentLoop(run, gate, state, kind);
  } catch (error) {
    if (continuations > 0 && !wasCancelled(error)) return brokenOff(explain(error));
    // An answer whose model cannot be asked once more still counts as limited.
    if (lastCall === undefined || isOnly || wasCancelled(error)) throw error;
    return unasked(lastCall, explain(error));
  }
}

function unasked(lastCall: string, reason: string): ExchangeEnding {
  return limited(`${lastCall} What was found could not be asked for: ${reason}`);
}

function limited(reason: string): ExchangeEnding {
  return { status: 'LIMITED', reason: `${reason} ${howToGoOn}` };
}

/** The ending of an answer that threw an error. */
export function endingOfError(error: unknown, scope: CancellationScope): ExchangeEnding {
  return wasCancelled(error, scope)
    ? { status: 'STOPPED', reason: 'It was stopped.' }
    : { status: 'FAILED', reason: explain(error) };
}

function endingOf(wording: 'none' | 'cut-off' | undefined): ExchangeEnding {
  if (wording === 'none') return { status: 'FAILED', reason: 'The model answered with nothing. `/retry` asks again.' };
  return wording === 'cut-off' ? brokenOff() : { status: 'ANSWERED' };
}

function brokenOff(whyNoRest?: string): ExchangeEnding {
  const told = 'The answer broke off at its limit of tokens (`maxOutputTokens`).';
  return limited(whyNoRest === undefined ? told : `${told} The rest could not be asked for: ${whyNoRest}`);
}
