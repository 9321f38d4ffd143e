import type { Budgets } from './settings.ts';

/** Whether two sets of budgets have the same limits, in any order. */
export function isSameBudgets(one: Budgets, other: Budgets): boolean {
  return inOrder(one) === inOrder(other);
}

function inOrder(budgets: Budgets): string {
  const scopes = Object.entries(budgets).map(
    ([scope, budget]) => [scope, Object.entries(budget ?? {}).sort()] as const,
  );
  return JSON.stringify(scopes.filter(([, limits]) => limits.length > 0).sort());
}
