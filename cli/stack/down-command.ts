import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addDown(program: Command, context: CommandContext): void {
  program
    .command('down')
    .description('stop the stack; projects continue with the next `up`')
    .action(async () => {
      const { down } = await import('../../setup/stack/down.ts');
      const { describeStackEvent } = await import('../../setup/stack/state/stack-event.ts');
      const outcome = await down({
        configuration: await context.configuration(),
        environment: context.environment,
        onEvent: (event) => {
          const line = describeStackEvent(event);
          if (line !== undefined) context.print(line);
        },
      });
      if (outcome === 'not-running') context.print('The stack is not running.');
    });
}
