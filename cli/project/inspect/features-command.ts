import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { listStyle } from '../../render/style.ts';
import { withProject } from '../with-project.ts';

export function addFeatures(program: Command, context: CommandContext): void {
  program
    .command('features')
    .description('list features and their status')
    .argument('[project]')
    .option('--json', 'as JSON, with verification steps and dependencies')
    .action(async (reference: string | undefined, { json }: { json?: boolean }) => {
      const features = await withProject(context, reference, (project) => project.features());
      if (json) return context.printJson(features);
      const { renderFeatures } = await import('../../render/render-lists.ts');
      context.print(renderFeatures(features, listStyle(context)).join('\n') || 'There are no features yet.');
    });
}
