import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { parseCount } from '../../program/parse-count.ts';
import { parseNetwork } from '../../program/parse-network.ts';
import { modelOption } from '../../settings/read-model-options.ts';
import { addLimitOptions } from '../limit-options.ts';
import type { StartOptions } from '../start.ts';

export function addStart(program: Command, context: CommandContext): void {
  const command = program
    .command('start')
    .description('start a project from a goal and follow it live')
    .argument('[goal]', 'what to build, in your own words')
    .option('--file <file>', 'read the goal from a file')
    .option('--name <name>', "the project's name (default: the goal's first words)")
    .option('--dir <folder>', "the project's folder or an existing repository (default: ./<name>)")
    .option('--adopt', 'accept a folder that has files but no git repository')
    .option('--features <file>', "use your own features.json instead of the initializer's plan")
    .option('--max-sessions <count>', 'maximum sessions before it waits for a person', parseCount)
    .option('--max-attempts <count>', 'maximum attempts on a feature before it is blocked (default: 3)', parseCount)
    .option('--image <image>', 'image for its sandboxes')
    .option(...modelOption);
  addLimitOptions(command)
    .option('--network <policy>', 'what sandboxes reach: none, packages (default), all, or host names', parseNetwork)
    .option('--allow <rule...>', 'what its agents may do without asking, e.g. "Land(.envrc)"')
    .option('--ask <rule...>', 'what a person is asked about first, e.g. "Run(curl *)"')
    .option('--deny <rule...>', 'what its agents must not do, e.g. "Write(.github/**)"')
    .option('--detach', 'do not follow it')
    .option('--json', 'print the project and each event as a line of JSON')
    .action(async (goal: string | undefined, options: StartOptions) => {
      const { start } = await import('../start.ts');
      context.setExitCode(await start(context, goal, options));
    });
}
