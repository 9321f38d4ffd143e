import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';

export function addSandbox(program: Command, context: CommandContext): void {
  const sandbox = program.command('sandbox').description('the containers that commands run in');
  sandbox
    .command('prune')
    .description('remove those that no live session owns')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { pruneSandboxes } = await import('../prune-sandboxes.ts');
      const closed = await pruneSandboxes(context);
      if (json) return context.printJson({ closed });
      context.print(closed.length ? `Removed ${closed.join(', ')}.` : 'There was nothing to remove.');
    });
}
