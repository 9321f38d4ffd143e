import type { Command } from 'commander';
import type { ChatOptions } from '../chat/chat.ts';
import type { CommandContext } from '../program/command-context.ts';

export function addRun(program: Command, context: CommandContext): void {
  program
    .command('run')
    .description("talk with an agent of one's own, or with -m or a pipe ask it once; a new conversation")
    .argument('[agent]', 'its folder or name; the current folder where absent')
    .option('-m, --message <text>', 'say this, with the text of a pipe or file below it, print the answer and leave')
    .option('--session <name>', 'the conversation of this name, begun where there is none')
    .option('--continue', 'the conversation with it that was used last')
    .option('--model <model>', 'provider/model it asks from now on')
    .action(async (agent: string | undefined, options: ChatOptions) => {
      const { chat } = await import('../chat/chat.ts');
      context.setExitCode(await chat(context, { ...options, agent: agent ?? '.' }, 'run'));
    });
}
