import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { exitCodes } from '../../program/exit-code.ts';
import { modelOption, readModelOptions } from '../../settings/read-model-options.ts';
import { withProject } from '../with-project.ts';

export function addResume(program: Command, context: CommandContext): void {
  program
    .command('resume')
    .description('continue a project, even one that has ended; blocked features get new attempts')
    .argument('[project]')
    .option(...modelOption)
    .action((reference: string | undefined, { model = [] }: { model?: string[] }) =>
      withProject(context, reference, async (project) => {
        const { status, overBudget } = await project.status();
        if (overBudget !== null && (status === 'PAUSED' || status === 'WAITING')) {
          const { describeOverBudget } = await import('../../render/describe-next.ts');
          context.note(`Not resumed. ${overBudget}. ${describeOverBudget(project.id)}`);
          return context.setExitCode(exitCodes.waits);
        }
        await project.resume(readModelOptions(model));
        context.printMessage(`Resumed. \`longhaul log -f ${project.id}\` follows it.`);
      }),
    );
}
