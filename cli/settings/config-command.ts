import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';

export function addConfig(program: Command, context: CommandContext): void {
  program
    .command('config')
    .description(
      'list every setting and its source, as the running worker has it, or this shell if none runs; secrets are masked',
    )
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { readSettings } = await import('./read-settings.ts');
      const { configuration, settings: own, files, scripted } = await readSettings(context);
      const { noteDifferences, readWorker } = await import('./read-worker.ts');
      const worker = await readWorker(context, configuration, { ask: false });
      const settings = worker?.settings ?? own;
      if (json) return context.printJson(settings);
      const { alignColumns } = await import('../render/columns.ts');
      const { printableLine } = await import('../render/printable.ts');
      const { colors, width } = await (await import('../render/style.ts')).listStyle(context);
      const rows = settings.map(({ name, value, source }) => [
        name,
        source === 'default' ? colors.dim(source) : source,
        value === null ? colors.dim('not set') : value === '' ? colors.dim('(none)') : printableLine(value),
      ]);
      context.print(alignColumns(rows, width).join('\n'));
      if (scripted) context.note(scripted);
      for (const file of files) context.note(file);
      if (worker) noteDifferences(context, worker.differences);
    });
}
