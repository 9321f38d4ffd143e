import { warningShare } from '../db/budget.ts';

/**
 * What an agent is told behind the results of a turn where little is left: when a fifth of its turns is, half of that, and one; and of budgets
 * that have just come that far. Undefined else.
 */
export function remarkOnLimits(run: { turn: number; maxTurns: number }, warnings: string[]): string | undefined {
  const remarks = [tellTurns(run.maxTurns - run.turn, run.maxTurns), ...warnings.map((warning) => `${warning}.`)];
  const told = remarks.filter((remark) => remark !== undefined);
  return told.length ? `[${told.join(' ')}]` : undefined;
}

function tellTurns(left: number, maxTurns: number): string | undefined {
  const few = Math.ceil(maxTurns * (1 - warningShare));
  if (left === 1) return 'Your next turn is the last: end your run in it.';
  return left === few || left === Math.ceil(few / 2) ? `${left} of your ${maxTurns} turns are left.` : undefined;
}
