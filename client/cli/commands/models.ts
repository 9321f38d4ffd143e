import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';

export function addModels(program: Command, context: CommandContext): void {
  program
    .command('models')
    .description('show the model of each role, and whether it answers')
    .option('--no-check', 'do not ask them')
    .option('--json', 'as JSON')
    .action(async ({ check, json }: { check: boolean; json?: boolean }) => {
      const configuration = await context.configuration();
      if (configuration.model.scripted) {
        if (json) return context.printJson([]);
        return context.print(
          'Every role asks the scripted model, which has answers for the example project only. Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or see docs/models.md.',
        );
      }
      const { checkModels } = await import('../check-models.ts');
      const found = await checkModels(configuration, check);
      const silent = found.some(({ models }) => models.some(({ answers }) => answers === false));
      if (silent) context.setExitCode(exitCodes.failed);
      if (json) return context.printJson(found);
      const { renderModels } = await import('../text/render-models.ts');
      const { colorsFor } = await import('../text/colors.ts');
      context.print(renderModels(found, colorsFor(context.stdout, context.environment)));
    });
}
