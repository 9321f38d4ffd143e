import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ClientError } from '../../client/errors.ts';
import { shortCommit } from '../../client/format/commit.ts';
import { countOf } from '../../client/format/count.ts';
import type { Configuration } from '../../config/configuration.ts';
import { type EvidenceBundle, evidenceBundleSchema } from '../../domain/verification/evidence.ts';
import { loadReporter } from '../../setup/reporter.ts';
import { performStep } from '../../setup/setup-step.ts';
import { dockerStep } from '../../setup/steps/docker.ts';
import { createSandboxImageStep } from '../../setup/steps/sandbox-image.ts';
import type { RepositoryVerdict, ReproducedFeature } from '../../workers/verify-repository.ts';
import type { CommandContext } from '../program/command-context.ts';
import { exitCodes } from '../program/exit-code.ts';
import { printableLine } from '../render/printable.ts';
import { type Colors, colorsFor } from '../render/style.ts';

export interface VerifyRequest {
  folder: string;
  commit?: string;
  evidence: string;
  image?: string;
  json?: boolean;
}

/** Reads a project's evidence, verifies its repository once more and prints what was reproduced. */
export async function verify(context: CommandContext, request: VerifyRequest): Promise<void> {
  const folder = resolve(context.folder, request.folder);
  const bundle = await readBundle(resolve(folder, request.evidence));
  const configuration = await context.configurationWithFile();
  const { docker, image } = await prepare(context, configuration, request.image);
  const colors = colorsFor(context.stdout, context.environment);
  const { verifyFolder } = await import('../../workers/verify-folder.ts');
  const verdict = await verifyFolder({
    folder,
    bundle,
    commit: request.commit,
    docker,
    image,
    environment: context.environment,
    home: configuration.home,
    settings: configuration.sandbox,
    rules: configuration.agents.permissions.rules,
    log: { warn: (message) => context.note(message) },
    signal: context.interruptSignal(),
    ...(!request.json && { onFeature: (result) => context.print(renderFeature(result, colors)) }),
  });
  if (request.json) context.printJson(verdict);
  else context.print(renderVerdict(verdict, bundle, colors));
  const isGood = verdict.tampering.length === 0 && verdict.features.every(({ reproduced }) => reproduced);
  context.setExitCode(isGood ? exitCodes.done : exitCodes.failed);
}

async function readBundle(file: string): Promise<EvidenceBundle> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ClientError(
      'InvalidInput',
      `Expected the evidence of a project in ${file}: ${(error as Error).message} Write it with \`longhaul evidence export\`, or name the file with --evidence.`,
    );
  }
  const { success, data, error } = evidenceBundleSchema.safeParse(content);
  if (success) return data;
  const [issue] = error.issues;
  throw new ClientError(
    'InvalidInput',
    `Expected ${file} to be as \`longhaul evidence export\` writes it: ${issue?.path.join('.')}: ${issue?.message}.`,
  );
}

/** Starts or finds Docker and makes the image, as `longhaul setup` does. */
async function prepare(context: CommandContext, configuration: Configuration, image: string | undefined) {
  const setUp = {
    configuration,
    environment: context.environment,
    reporter: await loadReporter({ stream: context.stderr }),
    signal: context.interruptSignal(),
  };
  const daemon = await performStep(dockerStep, setUp);
  const made = image ?? (await performStep(createSandboxImageStep(daemon, context.environment), setUp));
  return { docker: daemon.host, image: made };
}

function renderFeature({ feature, passedAt, reproduced, reason }: ReproducedFeature, colors: Colors): string {
  const mark = reproduced ? colors.green('✓') : colors.red('✗');
  const verdict = reproduced ? 'reproduced' : colors.red('not reproduced');
  return `${mark} ${printableLine(feature)}  passed at ${shortCommit(passedAt)}, ${verdict}: ${printableLine(reason)}`;
}

function renderVerdict({ tampering, features }: RepositoryVerdict, bundle: EvidenceBundle, colors: Colors): string {
  const reproduced = features.filter((one) => one.reproduced).length;
  return [
    ...(features.length
      ? [`${reproduced} of ${countOf(features.length, 'verdict')} reproduced.`]
      : ['Nothing had passed by this commit.']),
    ...(tampering.length
      ? tampering.map((one) => colors.red(`✗ ${printableLine(one)}`))
      : [`The evidence is intact: ${countOf(bundle.verdicts.length, 'verdict')} in one chain.`]),
  ].join('\n');
}
