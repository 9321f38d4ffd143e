import type { Budget } from './settings.ts';

/** A budget in words: `$20, 500,000 tokens`. */
export function describeBudget({ usd, tokens, turns, minutes }: Budget): string {
  const parts = [
    usd !== undefined && `$${usd}`,
    tokens !== undefined && amountOf(tokens, 'token'),
    turns !== undefined && amountOf(turns, 'turn'),
    minutes !== undefined && amountOf(minutes, 'minute'),
  ].filter(Boolean);
  return parts.join(', ') || 'no limit';
}

/** An amount in words, exact: `1 turn`, `500,000 tokens`. */
export function amountOf(amount: number, noun: string): string {
  return `${amount.toLocaleString('en', { maximumFractionDigits: 20 })} ${amount === 1 ? noun : `${noun}s`}`;
}
