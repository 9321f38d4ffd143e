import { warningShare } from '../../db/budget/budget.ts';

/**
 * The remark that is appended to the results of a turn when little is left: when a fifth of the turns is left, half of that, and one; and for budgets
 * that have just reached that share. Undefined otherwise.
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
