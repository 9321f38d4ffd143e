import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import { exitCodes } from '../program/exit-code.ts';

export function addPrompts(program: Command, context: CommandContext): void {
  const prompts = program.command('prompts').description('show and customize prompts');
  const folder = async () => (await context.configurationWithFile()).agents.promptsFolder;

  prompts
    .command('list')
    .description('list prompts with their agents and files')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { listPrompts } = await import('./prompts.ts');
      const found = listPrompts(await folder());
      if (found.complaints.length || found.prompts.some(({ complaint }) => complaint))
        context.setExitCode(exitCodes.failed);
      if (json) return context.printJson(found);
      const { renderPrompts } = await import('./prompts.ts');
      const { listStyle } = await import('../render/style.ts');
      context.printMessage(renderPrompts(found, listStyle(context).width));
    });

  prompts
    .command('show')
    .description('print a prompt with its {{variables}}')
    .argument('<name>')
    .option('--shipped', 'the shipped version, even if you have your own')
    .action(async (name: string, { shipped }: { shipped?: boolean }) => {
      const { choosePrompts } = await import('./prompts.ts');
      const { findPrompt } = await import('../../agents/load-prompts.ts');
      const { readShippedPrompt } = await import('../../agents/load-prompts.ts');
      choosePrompts([name]);
      const prompt = shipped ? readShippedPrompt(name) : findPrompt(await folder(), name).prompt;
      context.print(prompt.text.trimEnd());
    });

  prompts
    .command('eject')
    .description('copy prompts so that you can change them; workers use them from their next start')
    .argument('[names...]', 'prompts (default: all)')
    .option('--to <folder>', 'target folder (default: the prompts folder of the settings)')
    .option('--force', 'overwrite changed prompts')
    .action(async (names: string[], { to, force = false }: { to?: string; force?: boolean }) => {
      const { choosePrompts } = await import('./prompts.ts');
      const { ejectPrompts } = await import('./prompts.ts');
      const used = await folder();
      const target = to === undefined ? used : resolve(context.folder, to);
      const ejected = await ejectPrompts(target, choosePrompts(names), { force });
      for (const { path, alreadyThere } of ejected) context.print(`${path}${alreadyThere ? ' (already there)' : ''}`);
      if (target !== used)
        context.note(`Workers read ${used}; \`prompts\` in longhaul.config.ts names another folder.`);
      context.note('Change them, then restart the workers: `longhaul down && longhaul up -d`.');
    });
}
