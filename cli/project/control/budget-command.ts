import { type Command, Option } from 'commander';
import type { BudgetRequest } from '../../../domain/project/messages.ts';
import { budgetScopes } from '../../../domain/project/settings.ts';
import type { CommandContext } from '../../program/command-context.ts';
import { addLimitOptions, type LimitOptions, limitsOf } from '../limit-options.ts';
import { withProject } from '../with-project.ts';

type BudgetOptions = LimitOptions & { per: NonNullable<BudgetRequest['scope']>; json?: boolean };

export function addBudget(program: Command, context: CommandContext): void {
  const command = program
    .command('budget')
    .description('show or set limits on model usage; a project that reached a limit continues when you raise it')
    .argument('[project]');
  addLimitOptions(command)
    .addOption(new Option('--per <scope>', 'what the limits apply to').choices(budgetScopes).default('project'))
    .option('--json', 'as JSON')
    .action((reference: string | undefined, { per: scope, json, ...given }: BudgetOptions) =>
      withProject(context, reference, async (project) => {
        const limits = limitsOf(given);
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
