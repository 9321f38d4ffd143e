import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { withProject } from '../with-project.ts';

export function addSteer(program: Command, context: CommandContext): void {
  program
    .command('steer')
    .alias('tell')
    .description('tell the agent at work something; it hears it before its next turn, or the next agent does')
    .argument('<project>')
    .argument('<message>')
    .option('--run <run>', 'this run only, e.g. s3-work')
    .action((reference: string, message: string, { run: named }: { run?: string }) =>
      withProject(context, reference, async (project) => {
        const { run } = await project.steer({ message, ...(named && { run: named }) });
        const who = run?.replace(`${project.id}-`, '');
        context.print(
          who
            ? `Kept: ${who} is told before its next turn.`
            : 'Kept: no agent is at work, so the next one is told before its first turn.',
        );
      }),
    );
}
