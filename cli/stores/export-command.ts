import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import type { ExportOptions } from './export.ts';
import { ownerOption, projectOption, storesOption } from './owner-options.ts';

export function addExport(program: Command, context: CommandContext): void {
  program
    .command('export')
    .description('write what is stored as JSON lines: everything, or only about a person or a project')
    .argument('[file]', 'output file (default: stdout)')
    .addOption(ownerOption())
    .addOption(projectOption())
    .addOption(storesOption())
    .action(async (file: string | undefined, options: ExportOptions) =>
      (await import('./export.ts')).exportStores(context, file, options),
    );
}
