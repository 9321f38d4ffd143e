import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

/** Adds the commands for the files in a conversation's sandbox, and for the folder that it works on a copy of. */
export function addFileCommands(chats: Command, context: CommandContext): void {
  const load = () => import('./files.ts');

  chats
    .command('files')
    .description("list the files in a conversation's sandbox")
    .argument('<name>')
    .argument('[folder]')
    .option('--json', 'as JSON')
    .action(async (name: string, folder: string | undefined, options: { json?: boolean }) =>
      (await load()).listFiles(context, name, folder, options),
    );
  chats
    .command('put')
    .description("put files into a conversation's sandbox")
    .argument('<name>')
    .argument('<file...>')
    .option('--to <folder>', 'a folder in /workspace (default: /workspace itself)')
    .action(async (name: string, files: string[], options: { to?: string }) =>
      (await load()).putFiles(context, name, files, options),
    );
  chats
    .command('get')
    .description("take a file out of a conversation's sandbox")
    .argument('<name>')
    .argument('<file>', 'its path in /workspace')
    .option('--to <path>', 'a file or folder to write it to, or - for stdout (default: the current folder)')
    .option('--force', 'replace a file that is there')
    .action(async (name: string, file: string, options: { to?: string; force?: boolean }) =>
      (await load()).getFile(context, name, file, options),
    );
  chats
    .command('diff')
    .description('show what was changed in the copy of a folder (`longhaul chat --dir`)')
    .argument('<name>')
    .action(async (name: string) => (await load()).onFolder(context, name, 'diff', {}));
  chats
    .command('apply')
    .description('write the changes of the copy to the folder')
    .argument('<name>')
    .option('-y, --yes', 'do not ask for confirmation, also for files that run by themselves')
    .action(async (name: string, options: { yes?: boolean }) =>
      (await load()).onFolder(context, name, 'apply', options),
    );
  chats
    .command('discard')
    .description('drop the changes, and copy the folder again')
    .argument('<name>')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(async (name: string, options: { yes?: boolean }) =>
      (await load()).onFolder(context, name, 'discard', options),
    );
}
