import type { FeatureState } from '../../db/features/features.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { runsByVariable } from '../../domain/verification/spoil/commands/named-files.ts';
import { commandOfCheck, isKnownCheck, runsCheck } from '../../domain/verification/spoil/spoil-check.ts';
import { hasReport, namesCheck } from '../../domain/verification/test-counts.ts';
import type { ChangedFile, ProjectRepository } from '../../git/repository/project-repository.ts';
import type { PlacedFile, PreparedCommand } from './prepared-commit.ts';
import { isProtected } from './protected-files.ts';

/** The content of a check file. */
export interface CheckFile extends PlacedFile {
  content: string;
  /** It is not protected, but the work left it as it was. */
  isOpen?: boolean;
  /** No step names it, but one runs a program that a variable names. */
  isUnseen?: boolean;
  /** Steps that were seen to run it before the work, by what their runner reported. */
  shownBy?: string[];
}

/** The check files of a feature at a commit: the protected ones, and others that its steps ran before the work. */
export async function readChecks(
  repository: ProjectRepository,
  feature: Pick<FeatureState, 'verification'>,
  { commit, changed = [], before = [] }: { commit: string; changed?: ChangedFile[]; before?: StepResult[] },
): Promise<CheckFile[]> {
  const { protectedPaths, steps } = feature.verification;
  const commands = steps.flatMap(({ command }) => command ?? []);
  const isCheck = (path: string) => commands.some((command) => isKnownCheck(path, command));
  const isAnyByVariable = commands.some(runsByVariable);
  const mayBeUnseen = (path: string) =>
    isAnyByVariable && commandOfCheck(path) !== undefined && !commands.some((command) => runsCheck(command, path));
  const isAsBefore = (path: string) =>
    !/(^|\/)node_modules\//.test(path) && isKnownCheck(path) && !changed.some((one) => one.path === path);
  const reports = before.filter(({ output }) => hasReport(output));
  const checks: CheckFile[] = [];
  for (const path of await repository.listFiles(commit)) {
    const isOpen = !isProtected(path, protectedPaths);
    const shownBy = reports.filter(({ output }) => namesCheck(output, path)).map(({ command }) => command);
    const isUnseen = !isOpen && mayBeUnseen(path);
    if (isOpen ? shownBy.length === 0 || !isAsBefore(path) : !isCheck(path) && !isUnseen) continue;
    const content = await repository.readText(commit, path);
    if (content !== undefined) checks.push({ path, content, isOpen, isUnseen, shownBy });
  }
  return checks;
}

/** How it is known that a step runs a check: by its command, by a variable in it, or by what it reported before the work. */
export function knowsRun(
  { command, runs = command }: Pick<PreparedCommand, 'command' | 'runs'>,
  { path, isOpen = false, isUnseen = false, shownBy = [] }: CheckFile,
): 'command' | 'variable' | 'report' | undefined {
  if (isUnseen) return runsByVariable(runs) ? 'variable' : undefined;
  if (!isOpen && runsCheck(runs, path)) return 'command';
  return shownBy.includes(command) ? 'report' : undefined;
}
