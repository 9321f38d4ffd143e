import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import { describeMissingFile } from '../program/write-missing-file.ts';

export function addInit(program: Command, context: CommandContext): void {
  const init = program
    .command('init')
    .description('create .env and longhaul.config.ts in the data folder, with comments; existing files stay')
    .action(async () => {
      const { writeSettingsFiles } = await import('./write-settings-files.ts');
      const files = await writeSettingsFiles(await context.configuration(), context.environment);
      for (const file of files) context.print(describeMissingFile(file));
      context.note('Workers read both when they start; `longhaul config` shows the effective settings.');
    });

  init
    .command('agent')
    .description('create a folder with an agent in TypeScript that runs as it is; existing files stay')
    .argument('[folder]', 'its folder, after which the agent is called', 'my-agent')
    .action(async (folder: string) => (await import('../agents/init-agent.ts')).initAgent(context, folder));
}
