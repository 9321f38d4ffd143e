import type { FeatureState } from '../../db/features/features.ts';
import type { SealedCheck, StepResult } from '../../domain/project/settings.ts';
import { expandCommand } from '../../domain/verification/spoil/commands/expand-command.ts';
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
): Promise<Pick<Scrutiny, 'checks' | 'helpers' | 'scripts'>> {
  const scripts = await readScripts(repository, base, [...verification.steps, ...verification.sealed]);
  const steps = verification.steps.map(({ command, ...step }) =>
    command ? { ...step, command: expandCommand(command, scripts) } : step,
  );
  const checks = await readChecks(repository, { verification: { ...verification, steps } }, { commit, ...known });
  const sealed = verification.sealed.flatMap(({ files }) => files);
  const { protectedPaths } = verification;
  const helpers = await readHelpers(repository, { commit, checks, sealed, protectedPaths, steeringFiles });
  return { checks, helpers, scripts };
}

/** The files that have the scripts that commands call, and those that these call. */
async function readScripts(
  repository: ProjectRepository,
  commit: string,
  commands: Array<{ command?: string | undefined; files?: SealedCheck['files'] }>,
): Promise<Map<string, string>> {
  const scripts = new Map<string, string>();
  const present = new Set(commands.length ? await repository.listFiles(commit) : []);
  for (;;) {
    const asked = new Set<string>();
    for (const { command = '', files = [] } of commands) {
      const get = (path: string) => {
        asked.add(path);
        return files.find((file) => file.path === path)?.content ?? scripts.get(path);
      };
      expandCommand(command, { get });
    }
    const left = [...asked].filter((path) => present.has(path) && !scripts.has(path));
    if (left.length === 0) return scripts;
    for (const path of left) scripts.set(path, (await repository.readText(commit, path)) ?? '');
  }
}
