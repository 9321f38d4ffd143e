import type { Spent } from '../db/budget.ts';
import type { NewCall } from '../db/ledger/add-call.ts';

/** What a call takes from the budgets, as far as it is known; `elapsedMs` is the time since they were checked. */
export function spentOf({ inputTokens, outputTokens, costUsd }: NewCall, elapsedMs: number): Spent {
  return {
    usd: costUsd ?? 0,
    unpricedTurns: 0,
    unknownCalls: 0,
    tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
    turns: 0,
    minutes: elapsedMs / 60_000,
  };
}
