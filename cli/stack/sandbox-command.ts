import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addSandbox(program: Command, context: CommandContext): void {
  const sandbox = program.command('sandbox').description('manage sandbox containers');
  sandbox
    .command('prune')
    .description('remove containers that no running project, chat or tool uses')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const closed = await context.withLonghaul((longhaul) => longhaul.pruneSandboxes());
      if (json) return context.printJson({ closed });
      context.print(closed.length ? `Removed ${closed.join(', ')}.` : 'Nothing to remove.');
    });
}
