import { type Command, Option } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addChats(program: Command, context: CommandContext): void {
  const chats = program
    .command('chats')
    .description('conversations with the assistant')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await import('./chats.ts')).listChats(context, options));
  addChatCommands(chats, context);
  passJsonOn(chats);
}

/** Adds the commands for chats, below `longhaul chats` and below `longhaul sessions`. */
export function addChatCommands(chats: Command, context: CommandContext): void {
  const load = () => import('./chats.ts');

  chats
    .command('list')
    .description('the conversations, the latest used first')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await load()).listChats(context, options));
  chats
    .command('show')
    .description('what was said in one')
    .argument('<name>')
    .option('--branch <branch>', 'of it, as `chats branches` names them; the current one where absent')
    .option('--json', 'as JSON')
    .action(async (name: string, options: { json?: boolean; branch?: string }) =>
      (await load()).showChat(context, name, options),
    );
  chats
    .command('branches')
    .description('the branches of one, which asking again and changing a message begin')
    .argument('<name>')
    .option('--json', 'as JSON')
    .action(async (name: string, options: { json?: boolean }) => (await load()).listBranches(context, name, options));
  chats
    .command('rename')
    .description('give one another name')
    .argument('<name>')
    .argument('<new-name>')
    .action(async (name: string, next: string) => (await load()).renameChat(context, name, next));
  chats
    .command('delete')
    .description('remove one with all that was said in it')
    .argument('<name>')
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, options: { yes?: boolean }) => (await load()).deleteChat(context, name, options));
  chats
    .command('export')
    .description('what was said in one, on stdout')
    .argument('<name>')
    .option('--branch <branch>', 'of it; the current one where absent')
    .addOption(new Option('--format <format>', 'of the text').choices(['markdown', 'json']).default('markdown'))
    .action(async (name: string, options: { format: 'markdown' | 'json'; branch?: string }) =>
      (await load()).exportChat(context, name, options),
    );
}

/** Commander assigns `--json` to the parent command even when it follows `show`; passes it on to the subcommand. */
export function passJsonOn(chats: Command): void {
  chats.hook('preAction', (_, command) => {
    if (chats.opts<{ json?: boolean }>().json) command.setOptionValue('json', true);
  });
}
