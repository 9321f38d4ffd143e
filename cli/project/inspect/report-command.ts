import type { Command } from 'commander';
import type { CommandContext } from '../../program/command-context.ts';
import { printableJson } from '../../render/printable.ts';
import { withProject } from '../with-project.ts';

interface ReportOptions {
  output?: string;
  json?: boolean;
}

export function addReport(program: Command, context: CommandContext): void {
  program
    .command('report')
    .description('print a report in Markdown')
    .argument('[project]')
    .option('-o, --output <file>', 'write it to a file')
    .option('--json', "the report's data as JSON")
    .action(async (reference: string | undefined, { output, json }: ReportOptions) => {
      const text = await withProject(context, reference, async (project) =>
        json ? `${printableJson(await project.reportData(), 2)}\n` : project.report(),
      );
      if (output === undefined) return void (json ? context.stdout.write(text) : context.writeText(text));
      const { writeOutput } = await import('../../program/write-output.ts');
      await writeOutput(context, output, text);
    });
}
