import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { withProject, withProjectOf } from '../with-project.ts';

export function addEvidence(program: Command, context: CommandContext): void {
  const evidence = program
    .command('evidence')
    .description('show each verification of a feature: commands, exit codes and outputs, also of its spoiled checks')
    .argument('<feature>')
    .argument('[project]')
    .option('--json', 'as JSON')
    .action(async (feature: string, reference: string | undefined, { json }: { json?: boolean }) => {
      const verifications = await withProjectOf(context, [feature, reference], (project, name) =>
        project.evidence(name),
      );
      if (json) return context.printJson(verifications);
      const { renderEvidence } = await import('../../render/render-evidence.ts');
      const { colorsFor } = await import('../../render/style.ts');
      const colors = colorsFor(context.stdout, context.environment);
      context.print(renderEvidence(verifications, colors) || 'It has not been verified yet.');
    });
  evidence
    .command('export')
    .description('write the evidence of a whole project, with its sealed checks, for `longhaul verify`')
    .argument('[project]')
    .option('-o, --output <file>', 'the file', 'evidence.json')
    .action(async (reference: string | undefined, { output }: { output: string }) => {
      const bundle = await withProject(context, reference, (project) => project.evidenceBundle());
      const { writeOutput } = await import('../../program/write-output.ts');
      await writeOutput(context, output, `${JSON.stringify(bundle, null, 2)}\n`);
    });
}
