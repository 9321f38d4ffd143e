import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addSetup(program: Command, context: CommandContext): void {
  program
    .command('setup')
    .description('prepare this machine: Temporal, Postgres, the embedding model, Docker, the sandbox image')
    .action(async () => {
      const { runSetup } = await import('../../setup/run-setup.ts');
      const { loadReporter } = await import('../../setup/reporter.ts');
      await runSetup({
        configuration: await context.configurationWithFile(),
        environment: context.environment,
        reporter: await loadReporter({ stream: context.stdout }),
        signal: context.interruptSignal(),
        afresh: true,
      });
    });
}
