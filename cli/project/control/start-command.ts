import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { parseCount } from '../../program/parse-count.ts';
import { modelOption } from '../../settings/read-model-options.ts';
import type { StartOptions } from '../start.ts';

export function addStart(program: Command, context: CommandContext): void {
  program
    .command('start')
    .description('take a goal to a finished, verified project, and follow it live')
    .argument('[goal]', 'what is to be built, in your own words')
    .option('--file <file>', 'the goal from a file')
    .option('--name <name>', "the project's name; else the goal's first words")
    .option('--dir <folder>', 'where it lives; an existing repository is taken as it is; else ./<name>')
    .option('--adopt', 'take a folder that has files and no git repository')
    .option('--features <file>', "a features.json of one's own instead of the initializer's plan")
    .option('--max-sessions <count>', 'sessions before it waits for a person', parseCount)
    .option('--max-attempts <count>', 'attempts on a feature before it is blocked (3)', parseCount)
    .option('--image <image>', 'the image of its sandboxes')
    .option(...modelOption)
    .option('--network', 'commands of agents may reach the network')
    .option('--detach', 'do not follow it')
    .option('--json', 'the project as JSON, and one event a line')
    .action(async (goal: string | undefined, options: StartOptions) => {
      const { start } = await import('../start.ts');
      context.setExitCode(await start(context, goal, options));
    });
}
