import { Context } from '@temporalio/activity';
import type { ModelAnswer } from '../models/model-provider.ts';
import { costOf } from '../models/prices.ts';

/** What an answer puts in the ledger of usage, and what it takes from the budgets. */
export function usageOf(answer: ModelAnswer & { model: string }, durationMs: number) {
  const { model, firstTokenMs, requestId } = answer;
  const { cacheWriteTokens: _, ...tokens } = answer.usage;
  const costUsd = costOf(model, answer.usage);
  const { attempt } = Context.current().info;
  return {
    row: { model, ...tokens, costUsd, attempt, firstTokenMs, durationMs, requestId },
    used: { usd: costUsd ?? 0, unpricedTurns: 0, tokens: tokens.inputTokens + tokens.outputTokens },
  };
}
