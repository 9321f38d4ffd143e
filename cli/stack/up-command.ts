import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addUp(program: Command, context: CommandContext): void {
  program
    .command('up')
    .description('start the stack: Temporal, Postgres, the workers; Ctrl-C stops it')
    .option('-d, --detach', 'leave it running in the background')
    .action(async ({ detach = false }: { detach?: boolean }) => {
      const { loadReporter } = await import('../../setup/reporter.ts');
      const { noteUnreadConfig } = await import('../settings/note-unread-config.ts');
      const configuration = await context.configurationWithFile();
      noteUnreadConfig(context, configuration);
      const reporter = await loadReporter({ stream: context.stdout });
      if (detach) {
        const { upDetached } = await import('./up-detached.ts');
        return upDetached(context, configuration, reporter);
      }
      const { up } = await import('../../setup/stack/up.ts');
      await up({ configuration, environment: context.environment, reporter });
    });
}
