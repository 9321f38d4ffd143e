import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { ChatOptions } from '../chat/chat.ts';
import type { CommandContext } from '../program/command-context.ts';

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
    .action(async (agent: string | undefined, options: ChatOptions & { json?: boolean }) => {
      const code = await findCode(context, agent ?? '.');
      if (code !== undefined) {
        const { runAgent } = await import('./run-agent.ts');
        return context.setExitCode(await runAgent(context, code, options));
      }
      const { chat } = await import('../chat/chat.ts');
      context.setExitCode(await chat(context, { ...options, agent: agent ?? '.' }, 'run'));
    });
}

/** The file of an agent that has code of its own, by its path or its name; undefined for one that is an `agent.md` alone. */
async function findCode(context: CommandContext, reference: string): Promise<string | undefined> {
  const { findAgentCode } = await import('../../runtime/load-agent.ts');
  const { home } = await context.configuration();
  return findAgentCode(resolve(context.folder, reference)) ?? findAgentCode(join(home, 'agents', reference));
}
