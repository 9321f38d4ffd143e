import type { Command } from 'commander';
import type { ChatOptions } from '../chat/chat.ts';
import type { CommandContext } from '../program/command-context.ts';

export function addRun(program: Command, context: CommandContext): void {
  program
    .command('run')
    .description('start a conversation with your own agent, or ask it once with -m or a pipe')
    .argument('[agent]', 'its folder or name (default: the current folder)')
    .option('-m, --message <text>', 'send this message, followed by any piped text, print the answer and exit')
    .option('--session <name>', 'use the conversation with this name, or create it')
    .option('--continue', 'continue the latest conversation with it')
    .option('--model <model>', 'provider/model to use from now on')
    .action(async (agent: string | undefined, options: ChatOptions) => {
      const { chat } = await import('../chat/chat.ts');
      context.setExitCode(await chat(context, { ...options, agent: agent ?? '.' }, 'run'));
    });
}
