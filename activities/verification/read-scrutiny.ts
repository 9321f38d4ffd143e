import type { FeatureState } from '../../db/features/features.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { expandCommand, type Scripts, scriptFilesOf } from '../../domain/verification/spoil/commands/expand-command.ts';
import type { ChangedFile, ProjectRepository } from '../../git/repository/project-repository.ts';
import { readChecks } from './read-checks.ts';
import { readHelpers } from './read-helpers.ts';
import type { Scrutiny } from './run-steps.ts';

/**
 * The check files of a feature at a commit with the helpers that they use, and the scripts and targets by which its steps run them, as they were before it.
 * @param before The steps as they ran before the work.
 * @param steeringFiles See `isSteering`.
 */
export async function readScrutiny(
  repository: ProjectRepository,
  { verification }: Pick<FeatureState, 'verification'>,
  {
    commit,
    base = `${commit}^`,
    steeringFiles = [],
    ...known
  }: {
    commit: string;
    base?: string;
    steeringFiles?: readonly string[];
    changed?: ChangedFile[];
    before?: StepResult[];
  },
): Promise<Pick<Scrutiny, 'checks' | 'helpers'> & { scripts: Scripts }> {
  const scripts = new Map<string, string>();
  const commands = [...verification.steps, ...verification.sealed].flatMap(({ command }) => command ?? []);
  const paths = [...new Set(commands.flatMap(scriptFilesOf))];
  const present = new Set(paths.length ? await repository.listFiles(base) : []);
  for (const path of paths.filter((one) => present.has(one))) {
    const content = await repository.readText(base, path);
    if (content !== undefined) scripts.set(path, content);
  }
  const steps = verification.steps.map(({ command, ...step }) =>
    command ? { ...step, command: expandCommand(command, scripts) } : step,
  );
  const checks = await readChecks(repository, { verification: { ...verification, steps } }, { commit, ...known });
  const sealed = verification.sealed.flatMap(({ files }) => files);
  const helpers = await readHelpers(repository, { commit, checks: [...checks, ...sealed], steeringFiles });
  return { checks, helpers, scripts };
}
