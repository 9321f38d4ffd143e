import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { withProject } from '../with-project.ts';

export function addSteer(program: Command, context: CommandContext): void {
  program
    .command('steer')
    .description(
      'send a steering message; the running agent reads it before its next turn, otherwise the next agent does',
    )
    .argument('<project>')
    .argument('<message>')
    .option('--run <run>', 'only for this run, e.g. s3-work')
    .action((reference: string, message: string, { run: named }: { run?: string }) =>
      withProject(context, reference, async (project) => {
        const { run } = await project.steer({ message, ...(named && { run: named }) });
        const who = run?.replace(`${project.id}-`, '');
        context.print(
          who
            ? `Stored: ${who} reads it before its next turn.`
            : 'Stored: the next agent reads it before its first turn, since none is running.',
        );
      }),
    );
}
