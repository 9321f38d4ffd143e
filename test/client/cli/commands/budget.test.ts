import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import type { CommandContext } from '../../../../client/cli/command-context.ts';
import { addBudget } from '../../../../client/cli/commands/budget.ts';
import type { BudgetRequest } from '../../../../workflows/messages.ts';

/** The requests that a command line sends to the project. */
async function askedBy(...parameters: string[]): Promise<BudgetRequest[]> {
  const asked: BudgetRequest[] = [];
  const project = { setBudget: async (request: BudgetRequest) => void asked.push(request), budget: async () => ({}) };
  const context = {
    withLonghaul: (work: (longhaul: object) => unknown) => work({ project: async () => project }),
    printJson() {},
  } as unknown as CommandContext;
  const program = new Command().exitOverride().configureOutput({ writeErr() {} });
  addBudget(program, context);
  await program.parseAsync(['budget', 'spend', '--json', ...parameters], { from: 'user' });
  return asked;
}

test('a limit could not be taken away', async () => {
  expect(await askedBy('--usd', 'none', '--tokens', 'none', '--turns', 'none', '--minutes', '5')).toEqual([
    { scope: 'project', limits: { usd: null, tokens: null, turns: null, minutes: 5 } },
  ]);
  expect(await askedBy('--usd', 'none', '--per', 'session')).toEqual([{ scope: 'session', limits: { usd: null } }]);
});

test('what is no limit would be sent, or looking at a budget change it', async () => {
  for (const limit of ['', '0', '-1', 'many']) await expect(askedBy('--usd', limit)).rejects.toThrow(/or none/);
  expect(await askedBy()).toEqual([]);
});
