import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addAgents(program: Command, context: CommandContext): void {
  const agents = program.command('agents').description("agents of one's own; docs/agents.md");
  const load = () => import('./agents.ts');

  agents
    .command('create')
    .description('write the folder of a new one, to edit')
    .argument('[name]', 'in kebab-case; made of the first words of --prompt where absent')
    .option('--prompt <text>', 'what it is told')
    .option('--model <model>', 'provider/model it asks')
    .option('--dir <folder>', "its folder; below agents/ in Longhaul's data folder where absent")
    .action(async (name: string | undefined, options: { prompt?: string; model?: string; dir?: string }) =>
      (await load()).createAgent(context, name, options),
    );
  agents
    .command('list')
    .description('those that are found by their names')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await load()).listAgents(context, options));
}
