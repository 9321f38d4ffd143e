import { type CancellationScope, patched } from '@temporalio/workflow';
import type { ExchangeStatus } from '../db/statuses.ts';
import { chatModel } from './activities.ts';
import type { AgentRun } from './agent-loop.ts';
import { askModel } from './ask-model.ts';
import { inBatches, sideBySide } from './batches.ts';
import { type ChatLimits, findLastCall, findReachedLimit, tooManyCalls } from './chat-limits.ts';
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
 * Takes turns, each one model call and the tool calls that it asks for, until the model answers in words or a limit is reached. Before that, it is
 * told to say what it found, in a last call whose tool calls are not executed. What a limit leaves undone gets its result then, or when the exchange
 * ends.
 */
export async function answerMessage(
  run: AgentRun,
  gate: Pick<PauseGate, 'paused' | 'step' | 'resumes' | 'hold'>,
  firstTurn: number,
  limits: ChatLimits,
  { onTurn, onCall, delegates = new Set() }: AnswerWatch,
): Promise<ExchangeEnding> {
  const spent = { modelCalls: 0, toolCalls: 0, tokens: 0 };
  const only = limits.modelCalls === 1 ? findLastCall(spent, 0, limits) : undefined;
  // In older histories the tools that an only call asked for were run, and nothing could be said of what they found.
  if (only !== undefined && patched('an-only-call-answers-in-words')) {
    onTurn(1);
    return answerAtOnce(run, gate, firstTurn, only);
  }
  /** Why the next model call is the last one. */
  let limit: string | undefined;
  for (let turn = firstTurn; ; turn += 1) {
    onTurn(spent.modelCalls + 1);
    const asked =
      limit === undefined ? askModel(run, gate, turn, chatModel) : askForTheLastTime(run, gate, turn, limit);
    const answer = await asked;
    if ('status' in answer) return { status: limit === undefined ? 'FAILED' : 'LIMITED', reason: answer.reason };
    spent.modelCalls += 1;
    spent.tokens += answer.tokens ?? 0;
    if (limit !== undefined) return { status: 'LIMITED', reason: limit };
    if (answer.calls.length === 0) return endingOf(answer.wording);

    const calls = answer.calls.slice(0, limits.toolCalls - spent.toolCalls);
    for (const { name } of calls) onCall?.(name);
    for (const batch of inBatches(calls)) {
      const results = await sideBySide(batch, (call) =>
        gate.step(() => runChatCall(run, turn, answer, call, gate, delegates)),
      );
      const delegated = results.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
      spent.tokens += delegated;
      // Each delegation may take half of the limit, so once the limit is reached no further one is started.
      if (delegated > 0 && spent.tokens >= limits.tokens) break;
    }
    spent.toolCalls += calls.length;
    const isCut = calls.length < answer.calls.length;
    const reached = isCut ? tooManyCalls(limits) : findReachedLimit(spent, limits);
    if (reached !== undefined && spent.modelCalls >= limits.modelCalls) return { status: 'LIMITED', reason: reached };
    limit = isCut ? reached : findLastCall(spent, answer.tokens ?? 0, limits);
    if (limit === undefined || patched('last-call-says-what-was-found')) continue;
    // In older histories an answer that reached a limit ended without words.
    if (reached !== undefined) return { status: 'LIMITED', reason: reached };
    limit = undefined;
  }
}

/** An answer of a single model call, which is told so; the tools that it calls are not run, since it could not say what they found. */
async function answerAtOnce(
  run: AgentRun,
  gate: Parameters<typeof askModel>[1],
  turn: number,
  lastCall: string,
): Promise<ExchangeEnding> {
  const answer = await askModel({ ...run, lastCall }, gate, turn, chatModel);
  if ('status' in answer) return { status: 'FAILED', reason: answer.reason };
  return answer.calls.length > 0 ? { status: 'LIMITED', reason: lastCall } : endingOf(answer.wording);
}

/** If the model cannot be asked once more, the answer still counts as limited, not as failed. */
async function askForTheLastTime(
  run: AgentRun,
  gate: Parameters<typeof askModel>[1],
  turn: number,
  limit: string,
): ReturnType<typeof askModel> {
  const unasked = (reason: string) => ({
    status: 'ENDED' as const,
    reason: `${limit} What was found could not be asked for: ${reason}`,
  });
  try {
    const answer = await askModel({ ...run, lastCall: limit }, gate, turn, chatModel);
    return 'status' in answer ? unasked(answer.reason) : answer;
  } catch (error) {
    if (wasCancelled(error)) throw error;
    return unasked(explain(error));
  }
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
