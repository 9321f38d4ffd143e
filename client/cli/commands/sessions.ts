import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { listStyle } from '../list-style.ts';
import { withProject } from '../with-project.ts';

export function addSessions(program: Command, context: CommandContext): void {
  program
    .command('sessions')
    .description('the sessions with their runs, tokens and commits')
    .argument('[project]')
    .option('--json', 'as JSON')
    .action(async (reference: string | undefined, { json }: { json?: boolean }) => {
      const sessions = await withProject(context, reference, (project) => project.sessions());
      if (json) return context.printJson(sessions);
      const { renderSessions } = await import('../text/render-lists.ts');
      context.print(renderSessions(sessions, await listStyle(context)).join('\n') || 'No session has begun yet.');
    });
}
