import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { withProject } from '../with-project.ts';

export function addOpen(program: Command, context: CommandContext): void {
  program
    .command('open')
    .description("show a project's workflow in the Temporal UI")
    .argument('[project]')
    .option('--json', 'print the address as JSON')
    .action(async (reference: string | undefined, { json }: { json?: boolean }) => {
      const id = await withProject(context, reference, async (project) => project.id);
      const { findUiAddress } = await import('../ui-address.ts');
      const url = await findUiAddress(await context.configuration(), id);
      if (json) return context.printJson({ url });
      context.print(url);
      const { openInBrowser } = await import('../ui-address.ts');
      await openInBrowser(url, context.environment);
    });
}
