import type { Command } from 'commander';
import type { ChatOptions } from '../chat/chat.ts';
import type { CommandContext } from '../program/command-context.ts';
import type { RunAgentOptions } from './run-agent.ts';

export function addRun(program: Command, context: CommandContext): void {
  program
    .command('run')
    .description('run your own agent: once with -m or a pipe, or in a conversation')
    .argument('[agent]', 'its folder, file or name (default: the current folder)')
    .option('-m, --message <text>', 'send this message, followed by any piped text, print the answer and exit')
    .option('--session <name>', 'use the conversation with this name, or create it')
    .option('--continue', 'continue the latest conversation with it')
    .option('--model <model>', 'provider/model to use from now on')
    .option('--json', 'print the result as JSON; for an agent with code')
    .option('--watch', 'with -m: run again whenever a file of the agent changes; for an agent with code')
    .action(async (agent: string | undefined, options: ChatOptions & RunAgentOptions) => {
      const code = await (await import('./find-agent-code.ts')).findCode(context, agent ?? '.');
      if (code !== undefined) {
        const { runAgent } = await import('./run-agent.ts');
        return context.setExitCode(await runAgent(context, code, options));
      }
      const { chat } = await import('../chat/chat.ts');
      context.setExitCode(await chat(context, { ...options, agent: agent ?? '.' }, 'run'));
    });
}
