import type { Amounts } from '../../db/budget/budget.ts';
import type { NewCall } from '../../db/usage/add-call.ts';

/** What an answer takes from the budgets, as far as it is known; `elapsedMs` is the time since they were checked. */
export function spentOf({ inputTokens, outputTokens, costUsd }: NewCall, elapsedMs: number): Amounts {
  return {
    usd: costUsd ?? 0,
    tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
    turns: 1,
    minutes: elapsedMs / 60_000,
  };
}
