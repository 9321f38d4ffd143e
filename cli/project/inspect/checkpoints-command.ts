import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { listStyle } from '../../render/style.ts';
import { withProject } from '../with-project.ts';

export function addCheckpoints(program: Command, context: CommandContext): void {
  program
    .command('checkpoints')
    .description('list checkpoints to revert to')
    .argument('[project]')
    .option('--all', 'include checkpoints that a revert undid')
    .option('--json', 'as JSON')
    .action(async (reference: string | undefined, { all, json }: { all?: boolean; json?: boolean }) => {
      const { checkpoints, present } = await withProject(context, reference, async (project) => ({
        checkpoints: await project.checkpoints({ all }),
        present: (await project.checkpoints()).map(({ id }) => id),
      }));
      if (json) {
        return context.printJson(checkpoints.map((one) => ({ ...one, present: present.includes(one.id) })));
      }
      const { renderCheckpoints } = await import('../../render/render-lists.ts');
      const lines = renderCheckpoints(checkpoints, listStyle(context), present);
      context.print(lines.join('\n') || 'There are no checkpoints yet.');
    });
}
