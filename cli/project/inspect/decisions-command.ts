import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { listStyle } from '../../render/style.ts';
import { withProject } from '../with-project.ts';

export function addDecisions(program: Command, context: CommandContext): void {
  program
    .command('decisions')
    .description('list decisions and their reasons')
    .argument('[project]')
    .option('--json', 'as JSON')
    .action(async (reference: string | undefined, { json }: { json?: boolean }) => {
      const decisions = await withProject(context, reference, (project) => project.decisions());
      if (json) return context.printJson(decisions);
      const { renderDecisions } = await import('../../render/render-lists.ts');
      context.print(renderDecisions(decisions, listStyle(context)).join('\n') || 'There are no decisions yet.');
    });
}
