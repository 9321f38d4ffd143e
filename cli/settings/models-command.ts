import type { Command } from 'commander';
import type { CommandContext } from '../program/command-context.ts';
import { exitCodes } from '../program/exit-code.ts';

export function addModels(program: Command, context: CommandContext): void {
  program
    .command('models')
    .description(
      "show each role's model, where it was set and whether it answers, as the running worker has it, or this shell if none runs",
    )
    .argument('[project]', "use this project's models (default: those of the settings)")
    .option('--no-check', 'do not call the models')
    .option('--json', 'as JSON')
    .action(async (reference: string | undefined, { check, json }: { check: boolean; json?: boolean }) => {
      const configuration = await context.configurationWithFile();
      const { noteUnreadConfig } = await import('./note-unread-config.ts');
      noteUnreadConfig(context, configuration);
      const { noteDifferences, readWorker } = await import('./read-worker.ts');
      const worker = await readWorker(context, configuration, { ask: check, project: reference });
      const { checkModels } = await import('../../agents/settings/check-models.ts');
      const { environment } = context;
      const found = worker?.roles ?? (await checkModels(configuration, { ask: check, environment }));
      // Without the local embedding model memories are still found by their words, so this is no failure.
      const silent = found.some(({ models }) =>
        models.some(({ name, answers }) => answers === false && name !== 'local'),
      );
      if (silent) context.setExitCode(exitCodes.failed);
      if (json) return context.printJson(found);
      const { renderModels } = await import('./render-models.ts');
      const { colorsFor } = await import('../render/style.ts');
      const { describeScripted } = await import('./read-settings.ts');
      const scripted = worker ? undefined : describeScripted(configuration.model);
      if (scripted) context.print(`${scripted}\n`);
      if (!worker) context.note('No worker runs: these are the settings of this shell.');
      if (configuration.configFile) context.print(`Settings of ${configuration.configFile}\n`);
      context.print(renderModels(found, colorsFor(context.stdout, context.environment)));
      if (worker) noteDifferences(context, worker.differences);
    });
}
