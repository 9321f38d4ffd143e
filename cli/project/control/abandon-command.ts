import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { withProject } from '../with-project.ts';

export function addAbandon(program: Command, context: CommandContext): void {
  program
    .command('abandon')
    .description('end a project; its data stays readable')
    .argument('[project]')
    .option('--reason <text>', 'stored with the project')
    .action((reference: string | undefined, { reason }: { reason?: string }) =>
      withProject(context, reference, async (project) => {
        await project.abandon(reason);
        if ((await project.status()).status !== 'ABANDONED')
          return context.printMessage(
            'The request is stored. The project ends when a worker runs. `longhaul ps` shows the workers.',
          );
        context.printMessage(`Abandoned. \`longhaul report ${project.id}\` shows what it did.`);
      }),
    );
}
