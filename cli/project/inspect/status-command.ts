import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { withProject } from '../with-project.ts';

export function addStatus(program: Command, context: CommandContext): void {
  program
    .command('status')
    .description('show the status of a project')
    .argument('[project]')
    .option('--json', 'as JSON')
    .action(async (reference: string | undefined, { json }: { json?: boolean }) => {
      const { isTerminal } = await import('../../../domain/project/statuses.ts');
      const { status, defect } = await withProject(context, reference, async (project) => {
        const status = await project.status();
        return { status, defect: isTerminal(status.status) ? undefined : await project.defect() };
      });
      if (json) return context.printJson({ ...status, defect: defect ?? null });
      const { renderStatus } = await import('../../render/render-status.ts');
      const { colorsFor } = await import('../../render/style.ts');
      context.printMessage(renderStatus(status, colorsFor(context.stdout, context.environment)));
      if (!defect) return;
      const { describeDefect } = await import('../../render/render-status.ts');
      context.printMessage(`\n${describeDefect(defect)}`);
    });
}
