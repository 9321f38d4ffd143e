import { type Command, Option } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import { ownerOption, projectOption, storesOption } from './owner-options.ts';
import { parseMoment } from './parse-moment.ts';
import type { PurgeOptions } from './purge.ts';

export function addPurge(program: Command, context: CommandContext): void {
  program
    .command('purge')
    .description('delete what is stored about a person or a project, or what was not used since a day, and list it')
    .addOption(ownerOption())
    .addOption(projectOption())
    .addOption(
      new Option('--before <when>', 'a day such as 2026-03-01, or an age such as 90d')
        .argParser(parseMoment)
        .conflicts(['person', 'project']),
    )
    .addOption(storesOption())
    .option('--dry-run', 'only list what would be removed')
    .option('--yes', 'do not ask')
    .option('--json', 'as JSON')
    .action(async (options: PurgeOptions) => (await import('./purge.ts')).purge(context, options));
}
