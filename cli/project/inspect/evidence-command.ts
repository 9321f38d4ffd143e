import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { withProject, withProjectOf } from '../with-project.ts';

export function addEvidence(program: Command, context: CommandContext): void {
  program
    .command('evidence')
    .description(
      "show a feature's verifications: each command, its exit code and output, with checks as they are and spoiled",
    )
    .argument('<feature>')
    .argument('[project]')
    .option('--json', 'as JSON')
    .action(async (feature: string, reference: string | undefined, { json }: { json?: boolean }) => {
      const verifications =
        reference === undefined
          ? await withProject(context, undefined, (project) => project.evidence(feature))
          : await withProjectOf(context, [feature, reference], (project, name) => project.evidence(name));
      if (json) return context.printJson(verifications);
      const { renderEvidence } = await import('../../render/render-evidence.ts');
      const { colorsFor } = await import('../../render/style.ts');
      const colors = colorsFor(context.stdout, context.environment);
      context.print(renderEvidence(verifications, colors) || 'It has not been verified yet.');
    });
}
