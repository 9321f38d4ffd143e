import { type CancellationScope, patched } from '@temporalio/workflow';
import type { AnswerSummary } from '../activities/call-model.ts';
import type { ExchangeStatus } from '../db/statuses.ts';
import { chatModel } from './activities.ts';
import { type AgentKind, agentLoop, beginAnew, type LoopState } from './agent-loop.ts';
import type { AgentRun } from './agent-run.ts';
import type { Gate } from './ask-model.ts';
import { type ChatLimits, findLastCall, findReachedLimit, tellCircle, tooManyCalls } from './chat-limits.ts';
import { explain } from './failures.ts';
import type { PauseGate } from './pause-gate.ts';
import { type Delegates, runChatCall } from './run-chat-call.ts';
import { wasCancelled } from './was-cancelled.ts';

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
  let limit = isOnly ? only : undefined;
  /** The agent goes in a circle, which it is told with the next model call. */
  let nudge: string | undefined;

  const callsOf = ({ calls }: AnswerSummary) => calls.slice(0, limits.toolCalls - spent.toolCalls);

  const kind: AgentKind<ExchangeEnding> = {
    model: chatModel,
    beforeTurn() {
      onTurn(spent.modelCalls + 1);
      return undefined;
    },
    aside: () => ({ ...(limit !== undefined && { lastCall: limit }), ...(nudge !== undefined && { nudge }) }),
    unanswered: ({ reason }) => (limit === undefined || isOnly ? { status: 'FAILED', reason } : unasked(limit, reason)),
    answered({ tokens = 0, calls, wording }) {
      nudge = undefined;
      spent.modelCalls += 1;
      spent.tokens += tokens;
      if (limit !== undefined && !(isOnly && calls.length === 0)) return { status: 'LIMITED', reason: limit };
      return calls.length === 0 ? endingOf(wording) : undefined;
    },
    callsOf(answer) {
      const calls = callsOf(answer);
      for (const { name } of calls) onCall?.(name);
      return calls;
    },
    execute: (turn, answer, call) => gate.step(() => runChatCall(run, turn, answer, call, gate, delegates)),
    executed(results) {
      const delegated = results.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
      spent.tokens += delegated;
      // Each delegation may take half of the limit, so once the limit is reached no further one is started.
      return delegated > 0 && spent.tokens >= limits.tokens ? 'enough' : undefined;
    },
    stuck({ reason }) {
      // In older histories nobody watched whether an agent that answers goes in a circle.
      if (!patched('watches-for-circles')) return undefined;
      if (state.nudged) limit = tellCircle(reason);
      else nudge = reason;
      beginAnew(state);
      return undefined;
    },
    afterTurn(answer) {
      const executed = callsOf(answer).length;
      spent.toolCalls += executed;
      const isCut = executed < answer.calls.length;
      const reached = isCut ? tooManyCalls(limits) : findReachedLimit(spent, limits);
      if (reached !== undefined && spent.modelCalls >= limits.modelCalls) return { status: 'LIMITED', reason: reached };
      const next = isCut ? reached : findLastCall(spent, answer.tokens ?? 0, limits);
      if (next === undefined || patched('last-call-says-what-was-found')) limit = next ?? limit;
      // In older histories an answer that reached a limit ended without words.
      else if (reached !== undefined) return { status: 'LIMITED', reason: reached };
      return undefined;
    },
  };

  try {
    return await agentLoop(run, gate, state, kind);
  } catch (error) {
    // An answer whose model cannot be asked once more still counts as limited.
    if (limit === undefined || isOnly || wasCancelled(error)) throw error;
    return unasked(limit, explain(error));
  }
}

function unasked(limit: string, reason: string): ExchangeEnding {
  return { status: 'LIMITED', reason: `${limit} What was found could not be asked for: ${reason}` };
}

/** The ending of an answer that threw an error. */
export function endingOfError(error: unknown, scope: CancellationScope): ExchangeEnding {
  return wasCancelled(error, scope)
    ? { status: 'STOPPED', reason: 'It was stopped.' }
    : { status: 'FAILED', reason: explain(error) };
}

function endingOf(wording: 'none' | 'cut-off' | undefined): ExchangeEnding {
  if (wording === 'none') return { status: 'FAILED', reason: 'The model answered with nothing. `/retry` asks again.' };
  if (wording === 'cut-off') return { status: 'LIMITED', reason: 'The answer broke off at its limit of tokens.' };
  return { status: 'ANSWERED' };
}
