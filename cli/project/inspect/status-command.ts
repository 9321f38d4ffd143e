import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { withProject } from '../with-project.ts';

export function addStatus(program: Command, context: CommandContext): void {
  program
    .command('status')
    .description('how a project stands')
    .argument('[project]')
    .option('--json', 'as JSON')
    .action(async (reference: string | undefined, { json }: { json?: boolean }) => {
      const status = await withProject(context, reference, (project) => project.status());
      if (json) return context.printJson(status);
      const { renderStatus } = await import('../../text/render-status.ts');
      const { colorsFor } = await import('../../text/colors.ts');
      context.tell(renderStatus(status, colorsFor(context.stdout, context.environment)));
    });
}
