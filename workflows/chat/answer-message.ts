import { type CancellationScope, TemporalFailure } from '@temporalio/workflow';
import type { AnswerSummary } from '../../activities/model/answer-summary.ts';
import { delegateRoleOf } from '../../agents/agent-definition.ts';
import {
  type ChatLimits,
  describeLoop,
  findLastCall,
  findReachedLimit,
  tooManyCalls,
} from '../../domain/chat/limits.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { LoopState } from '../../domain/run/loop-detection.ts';
import { chatModel } from '../activities.ts';
import { type Agent, agentLoop, resetProgress } from '../agent/agent-loop.ts';
import type { Gate } from '../agent/ask-model.ts';
import { executeCalls } from '../agent/execute-calls.ts';
import type { PauseGate } from '../agent/pause-gate.ts';
import { explain, wasCancelled } from '../failures.ts';
import { createEndings, type ExchangeEnding } from './endings.ts';
import { type Delegates, runChatCall } from './run-chat-call.ts';

/** How often a cut-off answer is continued; a model that repeats itself is cut off each time. */
const maxContinuations = 3;

interface AnswerWatch {
  onTurn(modelCall: number): void;
  onCall?(tool: string): void;
  /** Collects the running children. */
  delegates?: Delegates;
}

/**
 * Runs an agent until its model answers a message in words. At a limit, or if the agent repeats itself despite a warning, a last model call asks for
 * what it found; tool calls in that answer are not executed. Calls left undone get their results then, or when the exchange ends.
 */
export async function answerMessage(
  run: AgentRun,
  gate: Gate & Pick<PauseGate, 'paused'>,
  firstTurn: number,
  limits: ChatLimits,
  { onTurn, onCall, delegates = new Set() }: AnswerWatch,
): Promise<ExchangeEnding> {
  const { limited, brokenOff, endingOf } = createEndings(run.parentRunId === undefined ? 'person' : 'agent');
  const state: LoopState = { turn: firstTurn, traces: [] };
  const spent = { modelCalls: 0, toolCalls: 0, tokens: 0 };
  /** With a single model call, no tools are executed. */
  const isOnly = limits.modelCalls === 1;
  /** Why the next model call is the last one. */
  let lastCall = isOnly ? findLastCall(spent, 0, limits) : undefined;
  /** The loop that the next model call is warned about. */
  let nudge: string | undefined;
  /** How often in a row the answer was cut off and continued. */
  let continuations = 0;
  /** Why the next model call may only continue the answer, without calls. */
  let onlyRest: string | undefined;

  const agent: Agent<ExchangeEnding> = {
    model: chatModel,
    watchesIdleness: false, // reading and talking change nothing

    beforeTurn() {
      onTurn(spent.modelCalls + 1);
      if (lastCall !== undefined) return { kind: 'continue', aside: { lastCall } };
      return { kind: 'continue', aside: nudge === undefined ? {} : { nudge } };
    },

    onAnswer(answer) {
      if ('status' in answer) return ended(withoutAnswer(answer.reason));
      const { tokens = 0, calls, wording } = answer;
      nudge = undefined;
      spent.modelCalls += 1;
      spent.tokens += tokens;
      if (lastCall !== undefined && !(isOnly && calls.length === 0)) return ended(limited(lastCall));
      if (goesOn(answer)) return { kind: 'continue' };
      // The reply to a request to continue is the rest of the answer; an empty reply is not.
      if (calls.length === 0) return ended(continuations > 0 && wording === 'none' ? brokenOff() : endingOf(wording));
      if (onlyRest !== undefined) return ended(limited(onlyRest));
      continuations = 0;
      for (const { name } of within(calls)) onCall?.(name);
      return { kind: 'continue' };
    },

    execute(turn, answer) {
      let delegated = 0;
      return executeCalls(
        within(answer.calls),
        async (call) => {
          const result = await runChatCall(run, turn, answer, call, gate, delegates);
          delegated += result.tokens ?? 0;
          spent.tokens += result.tokens ?? 0;
          return result;
        },
        {
          // Each delegation may take half of the limit, so once the limit is reached no further one is started.
          isEnough: () => delegated > 0 && spent.tokens >= limits.tokens,
          fits: (batch, { name }) => !isDelegation(name) || batch.filter((one) => isDelegation(one.name)).length < 2,
        },
      );
    },

    async afterTurn({ calls, tokens = 0 }, _executed, stuck) {
      if (calls.length === 0) return { kind: 'continue' }; // the answer was cut off and is continued
      if (stuck !== undefined && state.warned) {
        lastCall = describeLoop(stuck);
      } else if (stuck !== undefined) {
        nudge = stuck;
        resetProgress(state);
      }
      const done = within(calls).length;
      spent.toolCalls += done;
      const isCut = done < calls.length;
      const reached = isCut ? tooManyCalls(limits) : findReachedLimit(spent, limits);
      if (reached !== undefined && spent.modelCalls >= limits.modelCalls) return ended(limited(reached));
      lastCall = (isCut ? reached : findLastCall(spent, tokens, limits)) ?? lastCall;
      return { kind: 'continue' };
    },
  };

  /** Whether the answer was cut off, so that the next request asks for the rest. */
  function goesOn({ calls, wording, tokens = 0 }: AnswerSummary): boolean {
    if (calls.length > 0 || wording !== 'cut-off') return false;
    if (continuations >= maxContinuations || findReachedLimit(spent, limits) !== undefined) return false;
    continuations += 1;
    onlyRest = findLastCall(spent, tokens, limits);
    return true;
  }

  function within(calls: AnswerSummary['calls']): AnswerSummary['calls'] {
    return calls.slice(0, limits.toolCalls - spent.toolCalls);
  }

  /** The ending without an answer of the model; a last call without an answer still counts as limited. */
  function withoutAnswer(reason: string): ExchangeEnding {
    if (continuations > 0) return brokenOff(reason);
    if (lastCall === undefined || isOnly) return { status: 'FAILED', reason };
    return limited(`${lastCall} The final answer failed: ${reason}`);
  }

  try {
    const end = await agentLoop(run, gate, state, agent);
    if (end.kind === 'ended') return end.ending;
    throw new Error(`Expected an answer to end, got: ${end.kind}`);
  } catch (error) {
    if (wasCancelled(error) || !(error instanceof TemporalFailure)) throw error;
    return withoutAnswer(explain(error));
  }
}

function ended(ending: ExchangeEnding): { kind: 'ended'; ending: ExchangeEnding } {
  return { kind: 'ended', ending };
}

function isDelegation(tool: string): boolean {
  return delegateRoleOf(tool) !== undefined;
}

/** The ending of an answer that threw an error. */
export function endingOfError(error: unknown, scope: CancellationScope): ExchangeEnding {
  if (!(error instanceof TemporalFailure)) throw error; // a bug leaves the workflow task failing until it is fixed
  return wasCancelled(error, scope)
    ? { status: 'STOPPED', reason: 'It was stopped.' }
    : { status: 'FAILED', reason: explain(error) };
}
