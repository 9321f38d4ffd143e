import { type Command, Option } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import { addFileCommands } from './files-command.ts';

export function addChats(program: Command, context: CommandContext): void {
  const chats = program
    .command('chats')
    .description('list and manage conversations')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await import('./chats.ts')).listChats(context, options));
  addChatCommands(chats, context);
  passJsonOn(chats);
}

/** Adds the commands for chats, below `longhaul chats` and below `longhaul sessions`. */
export function addChatCommands(chats: Command, context: CommandContext): void {
  const load = () => import('./chats.ts');
  addFileCommands(chats, context);

  chats
    .command('list')
    .description('list conversations, the latest first')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await load()).listChats(context, options));
  chats
    .command('show')
    .description('show a conversation')
    .argument('<name>')
    .option('--branch <branch>', 'a branch, as named by `chats branches` (default: the current one)')
    .option('--json', 'as JSON')
    .action(async (name: string, options: { json?: boolean; branch?: string }) =>
      (await load()).showChat(context, name, options),
    );
  chats
    .command('branches')
    .description('list the branches that /retry and /edit created')
    .argument('<name>')
    .option('--json', 'as JSON')
    .action(async (name: string, options: { json?: boolean }) => (await load()).listBranches(context, name, options));
  chats
    .command('rename')
    .description('rename a conversation')
    .argument('<name>')
    .argument('<new-name>')
    .action(async (name: string, next: string) => (await load()).renameChat(context, name, next));
  chats
    .command('delete')
    .description('delete a conversation and its messages')
    .argument('<name>')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (name: string, options: { yes?: boolean }) => (await load()).deleteChat(context, name, options));
  chats
    .command('export')
    .description('print a conversation')
    .argument('<name>')
    .option('--branch <branch>', 'a branch (default: the current one)')
    .addOption(new Option('--format <format>', 'output format').choices(['markdown', 'json']).default('markdown'))
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
