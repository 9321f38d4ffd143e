import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addInbox(program: Command, context: CommandContext): void {
  program
    .command('inbox')
    .description('list what waits for your answer, from all projects and chats')
    .argument('[project]', 'only of this project')
    .option('--json', 'as JSON')
    .action(async (reference: string | undefined, { json }: { json?: boolean }) => {
      const requests = await context.withLonghaul(async (longhaul) =>
        longhaul.inbox.list(reference === undefined ? undefined : (await longhaul.project(reference)).id),
      );
      if (json) return context.printJson(requests);
      const { renderInbox } = await import('./render-inbox.ts');
      context.printMessage(renderInbox(requests) || 'Nothing waits for you.');
    });
}
