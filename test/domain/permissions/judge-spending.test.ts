import { expect, test } from '@jest/globals';
import { defaultRules } from '../../../domain/permissions/default-rules.ts';
import { judgeSpending, rulesOnSpending } from '../../../domain/permissions/judge-spending.ts';
import { parseRules } from '../../../domain/permissions/parse-rules.ts';
import type { RuleTexts } from '../../../domain/permissions/rule.ts';
import type { Budgets } from '../../../domain/project/settings.ts';

/** The rule that stops a project with these rules and budgets. */
function stopsAt(usd: number, texts: RuleTexts = {}, { unpricedTurns = 0, budgets = {} as Budgets } = {}) {
  const rules = rulesOnSpending([...parseRules(texts, 'project'), ...defaultRules], budgets);
  const rule = judgeSpending(rules, { usd, unpricedTurns });
  return rule && `${rule.effect} ${rule.text}`;
}

test('a project without rules on spending and without a budget in dollars is asked for above 20 dollars', () => {
  expect(stopsAt(20)).toBeUndefined();
  expect(stopsAt(20.01)).toBe('ask Spend(>20 USD)');
  expect(stopsAt(1_000, {}, { budgets: { project: { usd: 2_000 } } })).toBeUndefined();
  expect(stopsAt(1_000, { ask: ['Spend(>2000 USD)'] })).toBeUndefined();
  expect(stopsAt(1_000, {}, { unpricedTurns: 9, budgets: { session: { usd: 1 } } })).toBe('ask Spend(>20 USD)');
});

test('a deny comes before an ask, and both hold beside a budget', () => {
  const texts = { ask: ['Spend(>5 USD)'], deny: ['Spend(>9 USD)'] };
  const budgets = { project: { usd: 100 } };
  expect(stopsAt(5.01, texts, { budgets })).toBe('ask Spend(>5 USD)');
  expect(stopsAt(9.01, texts, { budgets })).toBe('deny Spend(>9 USD)');
});

test('an amount below a cent passes a limit of nothing', () => {
  expect(stopsAt(0.0000004, { deny: ['Spend(>0 USD)'] })).toBe('deny Spend(>0 USD)');
});

test('turns of unknown cost may have passed the amount of a rule that a person wrote, but not that of a default one', () => {
  expect(stopsAt(0, { ask: ['Spend(>5 USD)'] }, { unpricedTurns: 1 })).toBe('ask Spend(>5 USD)');
  expect(stopsAt(0, { allow: ['Spend(>5 USD)'] }, { unpricedTurns: 1 })).toBeUndefined();
  expect(stopsAt(0, {}, { unpricedTurns: 1 })).toBeUndefined();
});
