import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import type { ChatOptions } from './chat.ts';

export function addChat(program: Command, context: CommandContext): void {
  program
    .command('chat')
    .description('talk with an assistant that remembers; a new conversation where none is named')
    .option('--session <name>', 'the conversation of this name, begun where there is none')
    .option('--continue', 'the conversation that was used last; with --agent the last one with it')
    .option('--new', 'a new conversation; with --session one of that name')
    .option('--model <model>', 'provider/model it asks from now on; several by commas are tried in order')
    .option('--no-memory', 'a conversation that leaves no trace beyond its transcript; chosen when it begins')
    .option(
      '--agent <name>',
      "an agent of one's own answers from now on: its name, or its folder; or the assistant again: default",
    )
    .option(
      '-m, --message <text>',
      'say this, with the text of a pipe or file below it, print the answer and leave; text from a pipe alone does the same',
    )
    .addHelpText(
      'after',
      '\nExit codes of -m and of a pipe: 0 answered, 1 no answer, 130 stopped. docs/chat.md has more.',
    )
    .action(async (options: ChatOptions) => {
      const { chat } = await import('./chat.ts');
      context.setExitCode(await chat(context, options));
    });
}
