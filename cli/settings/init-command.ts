import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addInit(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description("create .env and longhaul.config.ts with comments in Longhaul's data folder; existing files stay")
    .action(async () => {
      const { writeSettingsFiles } = await import('./write-settings-files.ts');
      for (const { path, written } of await writeSettingsFiles(await context.configuration(), context.environment)) {
        context.print(written ? `Wrote ${path}` : `${path} already exists and was not changed.`);
      }
      context.note('Workers read both when they start; `longhaul config` shows the effective settings.');
    });
}
