import type { Command } from 'commander';
import type { ProjectHandle } from '../../../client/project/project-handle.ts';
import type { CommandContext } from '../../program/command-context.ts';
import { projectInCheckpointId, withProjectOf } from '../with-project.ts';

interface DiffOptions {
  stat?: boolean;
  json?: boolean;
}

export function addDiff(program: Command, context: CommandContext): void {
  program
    .command('diff')
    .description('show what a checkpoint changed')
    .argument('<checkpoint>', 'its id (c3) or commit')
    .argument('[project]')
    .option('--stat', 'only file names and line counts')
    .option('--json', 'checkpoints, changed files and the diff as JSON')
    .action(async (checkpoint: string, reference: string | undefined, { stat, json }: DiffOptions) => {
      const named: [string, string | undefined] = [checkpoint, reference];
      const read = (project: ProjectHandle, id: string) => project.diff(id, { stat });
      const diff = await withProjectOf(context, named, read, projectInCheckpointId(checkpoint));
      if (json) return context.printJson(diff);
      context.writeText(diff.text);
    });
}
