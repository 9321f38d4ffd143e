import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addSandbox(program: Command, context: CommandContext): void {
  const sandbox = program.command('sandbox').description('see and manage sandbox containers');
  sandbox
    .command('ps')
    .description('show the sandboxes and what each uses: memory, CPU, disk')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { readSandboxUsage } = await import('../../setup/docker/read-sandbox-usage.ts');
      const rows = await readSandboxUsage(await context.configurationWithFile(), context.environment);
      if (json) return context.printJson(rows);
      const { renderSandboxes } = await import('../render/render-sandboxes.ts');
      const { listStyle } = await import('../render/style.ts');
      context.print(renderSandboxes(rows, listStyle(context).width));
    });
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
