import type { Budget } from './shapes.ts';

/** A budget in words: `$20, 500000 tokens`. */
export function describeBudget({ usd, tokens, turns, minutes }: Budget): string {
  const parts = [
    usd !== undefined && `$${usd}`,
    tokens !== undefined && `${tokens} tokens`,
    turns !== undefined && `${turns} turns`,
    minutes !== undefined && `${minutes} minutes`,
  ].filter(Boolean);
  return parts.join(', ') || 'no limit';
}
