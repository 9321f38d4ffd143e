import type { Command } from 'commander';
import { addChatCommands, passJsonOn } from '../../chats/chats-command.ts';
import type { CommandContext } from '../../program/command-context.ts';
import { listStyle } from '../../render/style.ts';
import { withProject } from '../with-project.ts';

/** Lists chats or, given a project, that project's sessions. */
export function addSessions(program: Command, context: CommandContext): void {
  const sessions = program
    .command('sessions')
    .description('list conversations; with a project, its sessions with their runs, tokens and commits')
    .argument('[project]')
    .option('--json', 'as JSON')
    .action(async (reference: string | undefined, { json }: { json?: boolean }) => {
      if (reference === undefined) {
        const { listChats } = await import('../../chats/chats.ts');
        return listChats(context, json ? { json } : {});
      }
      const found = await withProject(context, reference, (project) => project.sessions());
      if (json) return context.printJson(found);
      const { renderSessions } = await import('../../render/render-lists.ts');
      context.print(renderSessions(found, listStyle(context)).join('\n') || 'There are no sessions yet.');
    });
  addChatCommands(sessions, context);
  passJsonOn(sessions);
}
