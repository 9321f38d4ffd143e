import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BudgetRequest } from '../../../domain/project/messages.ts';
import { budgetScopes } from '../../../domain/project/settings.ts';
import type { CommandContext } from '../../program/command-context.ts';
import { withProject } from '../with-project.ts';

type Limits = BudgetRequest['limits'];
/** Commander treats null as a missing value, so `none` stays a string until all options are parsed. */
type LimitOptions = { [Name in keyof Limits]?: number | 'none' };
type BudgetOptions = LimitOptions & { per: NonNullable<BudgetRequest['scope']>; json?: boolean };

export function addBudget(program: Command, context: CommandContext): void {
  program
    .command('budget')
    .description('show or set limits on model usage; a project that reached a limit continues when it is raised')
    .argument('[project]')
    .option('--usd <dollars>', 'maximum cost, or none', parseLimit)
    .option('--tokens <count>', 'maximum input and output tokens, or none', parseLimit)
    .option('--turns <count>', 'maximum model calls, or none', parseLimit)
    .option('--minutes <count>', 'maximum time since its start, or none', parseLimit)
    .addOption(new Option('--per <scope>', 'what the limits apply to').choices(budgetScopes).default('project'))
    .option('--json', 'as JSON')
    .action((reference: string | undefined, { per: scope, json, ...given }: BudgetOptions) =>
      withProject(context, reference, async (project) => {
        const limits = toLimits(given);
        if (Object.keys(limits).length > 0) {
          await project.setBudget({ scope, limits });
          const { overBudget } = await project.status();
          if (overBudget !== null) {
            const { describeOverBudget } = await import('../../render/describe-next.ts');
            context.note(`${overBudget}. ${describeOverBudget(project.id)}`);
          }
        }
        const view = await project.budget();
        if (json) return context.printJson(view);
        const { renderBudget } = await import('../../render/render-budget.ts');
        context.print(renderBudget(view));
      }),
    );
}

function toLimits(given: LimitOptions): Limits {
  return Object.fromEntries(Object.entries(given).map(([name, limit]) => [name, limit === 'none' ? null : limit]));
}

function parseLimit(text: string): number | 'none' {
  if (text === 'none') return text;
  const limit = Number(text);
  if (Number.isFinite(limit) && limit > 0) return limit;
  throw new InvalidArgumentError('Expected a number above 0, or none.');
}
