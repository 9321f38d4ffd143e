import type { Command } from 'commander';
import type { FeatureVerification } from '../../../domain/project/settings.ts';
import type { CommandContext } from '../../program/command-context.ts';
import { withProjectOf } from '../with-project.ts';

interface ChecksOptions {
  from?: string;
  allow?: string[];
  json?: boolean;
}

export function addChecks(program: Command, context: CommandContext): void {
  program
    .command('checks')
    .description("show a feature's verification with its sealed checks, or replace it")
    .argument('<feature>')
    .argument('[project]')
    .option('--from <file>', 'replace it by the JSON in this file')
    .option('--allow <path...>', "let the feature's sessions change these files, such as init.sh")
    .option('--json', 'as JSON, which --from takes')
    .action(async (named: string, reference: string | undefined, { from, allow, json }: ChecksOptions) => {
      const checks = from === undefined ? undefined : await readChecks(context, from);
      const found = await withProjectOf(context, [named, reference], async (project, feature) => {
        if (checks) await project.changeChecks(feature, checks);
        const present = await project.checks(feature);
        if (!allow) return present;
        await project.changeChecks(feature, { ...present, allowed: [...(present.allowed ?? []), ...allow] });
        return project.checks(feature);
      });
      if (json) return context.printJson(found);
      const { renderChecks } = await import('../../render/render-checks.ts');
      const { colorsFor } = await import('../../render/style.ts');
      context.print(renderChecks(found, colorsFor(context.stdout, context.environment)));
    });
}

async function readChecks(context: CommandContext, file: string): Promise<FeatureVerification> {
  const { readFile } = await import('node:fs/promises');
  const { resolve } = await import('node:path');
  try {
    return JSON.parse(await readFile(resolve(context.folder, file), 'utf8'));
  } catch (error) {
    const { ClientError } = await import('../../../client/errors.ts');
    throw new ClientError(
      'InvalidInput',
      `Expected JSON in ${file}, as \`longhaul checks <feature> --json\` prints it: ${(error as Error).message}`,
    );
  }
}
