import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { listStyle } from '../../render/style.ts';

export function addList(program: Command, context: CommandContext): void {
  program
    .command('list')
    .alias('ls')
    .description('list all projects, newest first')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const projects = await context.withLonghaul((longhaul) => longhaul.listProjects());
      if (json) return context.printJson(projects);
      const { renderProjects } = await import('../../render/render-lists.ts');
      const lines = renderProjects(projects, listStyle(context));
      context.printMessage(lines.join('\n') || 'There are no projects yet. `longhaul start "<goal>"` starts one.');
    });
}
