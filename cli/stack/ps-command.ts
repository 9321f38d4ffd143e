import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import { exitCodes } from '../program/exit-code.ts';

export function addPs(program: Command, context: CommandContext): void {
  program
    .command('ps')
    .description('show the services of the stack')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { readStack } = await import('../../setup/stack/state/stack-state.ts');
      const { home } = await context.configuration();
      const stack = await readStack(home);
      if (stack.status === 'failed') context.setExitCode(exitCodes.failed);
      if (json) return context.printJson(stack);
      const { renderStack } = await import('../render/render-stack.ts');
      const { listStyle } = await import('../render/style.ts');
      context.printMessage(renderStack(stack, home, listStyle(context).width));
    });
}
