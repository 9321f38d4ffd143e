import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { withProject } from '../with-project.ts';

interface PauseOptions {
  reason?: string;
  now?: boolean;
}

export function addPause(program: Command, context: CommandContext): void {
  program
    .command('pause')
    .description('pause a project; work in progress finishes and is kept')
    .argument('[project]')
    .option('--reason <text>', 'shown with its status')
    .option('--now', 'stop work in progress, too')
    .action((reference: string | undefined, { reason, now }: PauseOptions) =>
      withProject(context, reference, async (project) => {
        await project.pause({ reason, now });
        const { status } = await project.status();
        if (status === 'INITIALIZING' || status === 'ACTIVE')
          return context.printMessage(
            'The request is stored. The project pauses when a worker runs. `longhaul ps` shows the workers.',
          );
        context.printMessage(
          `Paused${now ? '' : '; work in progress finishes'}. \`longhaul resume ${project.id}\` continues.`,
        );
      }),
    );
}
