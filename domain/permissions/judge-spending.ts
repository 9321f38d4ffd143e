import type { Spent } from '../project/budgets.ts';
import type { Budgets } from '../project/settings.ts';
import { decide } from './decide.ts';
import type { Rule } from './rule.ts';

/** The rules on what a project spends. Default ones count only where a person has set neither such a rule nor a budget in dollars for the project. */
export function rulesOnSpending(rules: readonly Rule[], budgets: Budgets | null): Rule[] {
  const own = ofPerson(rules);
  if (own.length || budgets?.project?.usd !== undefined) return own;
  return rules.filter(({ kind }) => kind === 'Spend');
}

/**
 * The rule that denies or asks for what a project has spent; undefined if it may go on. Where the cost of turns is unknown, a rule of a person may be
 * passed already, so it counts.
 */
export function judgeSpending(
  rules: readonly Rule[],
  { usd, unpricedTurns }: Pick<Spent, 'usd' | 'unpricedTurns'>,
): Rule | undefined {
  const { effect, rule } = decide(rules, { kind: 'Spend', subject: `${usd.toFixed(9)} USD` });
  if (rule && effect !== 'allow') return rule;
  if (unpricedTurns === 0) return undefined;
  const own = ofPerson(rules);
  return own.find(({ effect }) => effect === 'deny') ?? own.find(({ effect }) => effect === 'ask');
}

function ofPerson(rules: readonly Rule[]): Rule[] {
  return rules.filter(({ kind, origin }) => kind === 'Spend' && origin !== 'default');
}
