import { type CancellationScope, isCancellation } from '@temporalio/workflow';
import type { ExchangeStatus } from '../db/statuses.ts';
import { chatModel } from './activities.ts';
import type { AgentRun } from './agent-loop.ts';
import { askModel } from './ask-model.ts';
import { inBatches } from './batches.ts';
import { type ChatLimits, findReachedLimit, tooManyCalls } from './chat-limits.ts';
import { type Delegates, runChatCall } from './delegate-call.ts';
import { explain } from './failures.ts';
import type { PauseGate } from './pause-gate.ts';

/** How the answer to a message ended. */
export interface ExchangeEnding {
  status: ExchangeStatus;
  reason?: string;
}

interface AnswerWatch {
  onTurn(modelCall: number): void;
  onCall?(tool: string): void;
  /** Holds the children that are at work. */
  delegates?: Delegates;
}

/**
 * Takes turns, one model call and the tool calls that it asked for, until the model answers in words or a limit is reached. Calls that a
 * limit leaves undone get their result when the exchange ends.
 */
export async function answerMessage(
  run: AgentRun,
  gate: Pick<PauseGate, 'paused' | 'step' | 'resumes' | 'hold'>,
  firstTurn: number,
  limits: ChatLimits,
  { onTurn, onCall, delegates = new Set() }: AnswerWatch,
): Promise<ExchangeEnding> {
  const spent = { modelCalls: 0, toolCalls: 0, tokens: 0 };
  for (let turn = firstTurn; ; turn += 1) {
    onTurn(spent.modelCalls + 1);
    const answer = await askModel(run, gate, turn, chatModel);
    if ('status' in answer) return { status: 'FAILED', reason: answer.reason };
    spent.modelCalls += 1;
    spent.tokens += answer.tokens ?? 0;
    if (answer.calls.length === 0) return endingOf(answer.wording);

    const calls = answer.calls.slice(0, limits.toolCalls - spent.toolCalls);
    for (const { name } of calls) onCall?.(name);
    for (const batch of inBatches(calls)) {
      await Promise.all(batch.map((call) => gate.step(() => runChatCall(run, turn, answer, call, gate, delegates))));
    }
    spent.toolCalls += calls.length;
    if (calls.length < answer.calls.length) return { status: 'LIMITED', reason: tooManyCalls(limits) };
    const reason = findReachedLimit(spent, limits);
    if (reason !== undefined) return { status: 'LIMITED', reason };
  }
}

/** How the answer of this scope ended that threw: what is stopped while its worker is dead ends with a time-out rather than as cancelled. */
export function endingOfError(error: unknown, { consideredCancelled }: CancellationScope): ExchangeEnding {
  return isCancellation(error) || consideredCancelled
    ? { status: 'STOPPED', reason: 'It was stopped.' }
    : { status: 'FAILED', reason: explain(error) };
}

function endingOf(wording: 'none' | 'cut-off' | undefined): ExchangeEnding {
  if (wording === 'none') return { status: 'FAILED', reason: 'The model answered with nothing. `/retry` asks again.' };
  if (wording === 'cut-off') return { status: 'LIMITED', reason: 'The answer broke off at its limit of tokens.' };
  return { status: 'ANSWERED' };
}
