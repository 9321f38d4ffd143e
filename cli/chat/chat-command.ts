import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import type { ChatOptions } from './chat.ts';

export function addChat(program: Command, context: CommandContext): void {
  program
    .command('chat')
    .description('chat with an assistant that remembers (default: a new conversation)')
    .option('--session <name>', 'use the conversation with this name, or create it')
    .option('--continue', 'continue the latest conversation; with --agent, the latest with that agent')
    .option('--new', 'start a new conversation; with --session, under that name')
    .option('--model <model>', 'provider/model to use from now on; a comma-separated list is tried in order')
    .option('--dir <folder>', 'work on a copy of this folder; /apply writes the changes to it')
    .option('--no-memory', 'keep nothing but the transcript; only for a new conversation')
    .option(
      '--agent <name>',
      'let your own agent answer from now on (its name or folder), or the assistant again (default)',
    )
    .option(
      '-m, --message <text>',
      'send this message, followed by any piped text, print the answer and exit; piped text alone does the same',
    )
    .addHelpText('after', '\nExit codes of -m and of a pipe: 0 answered, 1 no answer, 130 stopped. See docs/chat.md.')
    .action(async (options: ChatOptions) => {
      const { chat } = await import('./chat.ts');
      context.setExitCode(await chat(context, options));
    });
}
