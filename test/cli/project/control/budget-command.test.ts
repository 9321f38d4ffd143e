import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import type { CommandContext } from '../../../../cli/program/command-context.ts';
import { addBudget } from '../../../../cli/project/control/budget-command.ts';
import { renderBudget } from '../../../../cli/render/render-budget.ts';
import type { BudgetRequest } from '../../../../domain/project/messages.ts';

/** The requests that a command line sends to the project, and what a person is told beside its answer. */
async function run(
  overBudget: string | null,
  parameters: string[],
): Promise<{ asked: BudgetRequest[]; notes: string[] }> {
  const asked: BudgetRequest[] = [];
  const notes: string[] = [];
  const project = {
    id: 'spend',
    setBudget: async (request: BudgetRequest) => void asked.push(request),
    budget: async () => ({}),
    status: async () => ({ overBudget }),
  };
  const context = {
    withLonghaul: (work: (longhaul: object) => unknown) => work({ project: async () => project }),
    printJson() {},
    note: (text: string) => notes.push(text),
  } as unknown as CommandContext;
  const program = new Command().exitOverride().configureOutput({ writeErr() {} });
  addBudget(program, context);
  await program.parseAsync(['budget', 'spend', '--json', ...parameters], { from: 'user' });
  return { asked, notes };
}

const askedBy = async (...parameters: string[]) => (await run(null, parameters)).asked;

test('a limit can be removed', async () => {
  expect(await askedBy('--usd', 'none', '--tokens', 'none', '--turns', 'none', '--minutes', '5')).toEqual([
    { scope: 'project', limits: { usd: null, tokens: null, turns: null, minutes: 5 } },
  ]);
  expect(await askedBy('--usd', 'none', '--per', 'session')).toEqual([{ scope: 'session', limits: { usd: null } }]);
});

test('an invalid limit is refused, and showing a budget changes nothing', async () => {
  for (const limit of ['', '0', '-1', 'many']) await expect(askedBy('--usd', limit)).rejects.toThrow(/or none/);
  expect(await askedBy()).toEqual([]);
});

test('a limit that cannot work or is already reached is reported', async () => {
  const why = "The project's budget is in dollars, but the cost of 2 turns is unknown";
  expect((await run(why, ['--usd', '0.5'])).notes).toEqual([
    expect.stringContaining(`${why}. \`longhaul budget spend\``),
  ]);
  expect((await run(null, ['--usd', '0.5'])).notes).toEqual([]);
});

test('large limits are readable, and unknown cost differs from unknown counts', () => {
  const spent = { usd: 0, unpricedTurns: 3, unknownCalls: 0, tokens: 176_900, turns: 3, minutes: 1 };
  const shown = renderBudget({ budgets: { project: { tokens: 100_000_000, minutes: 0.0001 } }, spent });
  expect(shown).toMatch(/^project +100,000,000 tokens, 0\.0001 minutes$/m);
  expect(shown).toMatch(/^used +cost unknown, 176\.9k tokens, 3 turns/m);
});
