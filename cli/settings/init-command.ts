import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addInit(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description("write .env and longhaul.config.ts, with comments, into Longhaul's data folder; what is there stays")
    .action(async () => {
      const { writeSettingsFiles } = await import('./write-settings-files.ts');
      for (const { path, written } of await writeSettingsFiles(await context.configuration(), context.environment)) {
        context.print(written ? `Wrote ${path}` : `${path} is there already and stays as it is.`);
      }
      context.note('Workers read both when they start; `longhaul config` shows what counts.');
    });
}
