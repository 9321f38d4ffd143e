import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import { parseCount } from '../program/parse-count.ts';

export function addAgents(program: Command, context: CommandContext): void {
  const agents = program.command('agents').description('your own agents; see docs/agents.md');
  const load = () => import('./agents.ts');

  agents
    .command('create')
    .description('create an agent folder to edit')
    .argument('[name]', 'in kebab-case (default: the first words of --prompt)')
    .option('--prompt <text>', 'its instructions')
    .option('--model <model>', 'provider/model to use')
    .option('--dir <folder>', "its folder (default: agents/<name> in Longhaul's data folder)")
    .action(async (name: string | undefined, options: { prompt?: string; model?: string; dir?: string }) =>
      (await load()).createAgent(context, name, options),
    );
  agents
    .command('work')
    .description('take runs of agents with code, until Ctrl-C')
    .argument('[agents...]', 'their folders, files or names (default: all with code that `agents list` shows)')
    .option('--metrics <address>', 'serve metrics for Prometheus at this port, or host:port (default: none)')
    .option(
      '--concurrency <number>',
      'runs of each agent at once; others wait, by their priority (default: 1000)',
      parseCount,
    )
    .action(async (named: string[], options: { metrics?: string; concurrency?: number }) =>
      (await import('./work.ts')).takeRuns(context, named, options),
    );
  agents
    .command('list')
    .description('list your agents')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => (await load()).listAgents(context, options));
}
