import { basename } from 'node:path';
import type { FeatureState } from '../../db/features/features.ts';
import { foldersAbove } from '../../domain/folders-above.ts';
import type { StepResult } from '../../domain/project/settings.ts';
import { isKnownCheck, namesAsCheck } from '../../domain/verification/spoil/spoil-check.ts';
import { formerFile, isOfTests, isSteering, overruledBy } from '../../domain/verification/steering-files.ts';
import { saysFailed } from '../../domain/verification/test-counts.ts';
import type { ChangedFile, ProjectRepository } from '../../git/repository/project-repository.ts';
import type { PlacedFile } from './prepared-commit.ts';
import { isProtected } from './protected-files.ts';

/** What a commit changed of what steers and helps checks, as it was before. */
export interface FormerFiles {
  /** Files that steer runners, that tests use, or that a step names as its check or reported as failing before the work, which were changed, removed or replaced by a link; null for what was added and overrules one. */
  steering: PlacedFile[];
  /** What else was changed in folders of tests, and what was added there. It may need the changed files. */
  tests: PlacedFile[];
}

/** A session's commit for a feature. */
export interface SessionWork {
  repository: ProjectRepository;
  feature: FeatureState;
  commit: string;
  /** What the commit changed. */
  changed: ChangedFile[];
}

/**
 * @param known.steeringFiles See `isSteering`.
 * @param known.before The steps as they ran before the work.
 */
export async function readFormerFiles(
  { repository, feature, commit, changed }: SessionWork,
  { steeringFiles, before: stepsBefore = [] }: { steeringFiles: readonly string[]; before?: StepResult[] },
): Promise<FormerFiles> {
  const { protectedPaths, steps, sealed, allowed = [] } = feature.verification;
  const commands = [...steps, ...sealed].flatMap(({ command }) => command ?? []);
  const isNamed = (path: string) => isProtected(path, protectedPaths);
  const isOwnCheck = (path: string) =>
    commands.some((command) => namesAsCheck(command, path)) ||
    (isKnownCheck(path) && stepsBefore.some(({ output }) => saysFailed(output, path)));
  const readBefore = (path: string) => repository.readText(`${commit}^`, path);
  const files = new Set(await repository.listFiles(commit));
  /** A script of the shell in a folder of tests may be a test, and may be what one runs. */
  const mayBeCalled = (path: string) => isOfTests(path) && /\.(ba)?sh$/.test(path);
  const callers = changed.some(({ path, previousPath = path }) => mayBeCalled(previousPath)) ? await readCallers() : [];
  const isCalled = (path: string) => mayBeCalled(path) && callers.some((text) => text.includes(basename(path)));
  const steers = (path: string) => isSteering(path, isNamed, steeringFiles) || isOwnCheck(path) || isCalled(path);
  const existed = (path: string) =>
    files.has(path) || changed.some((one) => (one.previousPath ?? one.path) === path && one.change !== 'added');
  const former: FormerFiles = { steering: [], tests: [] };
  for (const { path, change, previousPath } of changed) {
    const isNew = change === 'added' || change === 'renamed';
    if (isNew && isOfTests(path)) former.tests.push({ path, content: null });
    if (isNew && !allowed.includes(path) && (await overrules(path))) former.steering.push({ path, content: null });
    const earlierPath = previousPath ?? path;
    if (change !== 'added' && !allowed.includes(earlierPath)) await restore(earlierPath);
  }
  return former;

  /** The texts of the checks. */
  async function readCallers(): Promise<string[]> {
    const named = await Promise.all([...files].filter(isNamed).map((path) => repository.readText(commit, path)));
    return [
      ...named.map((text) => text ?? ''),
      ...sealed.flatMap((check) => check.files.map(({ content }) => content)),
    ];
  }

  async function restore(path: string): Promise<void> {
    if (!steers(path) && !isOfTests(path)) return;
    const before = await readBefore(path);
    if (before === undefined) return; // a symbolic link
    const now = await repository.readText(commit, path);
    const content = steers(path) ? formerFile(path, { before, now, commands }) : before;
    if (content === undefined) return;
    const inTheWay = foldersAbove(path).filter((folder) => files.has(folder));
    former[steers(path) ? 'steering' : 'tests'].push(...inTheWay.map((one) => ({ path: one, content: null })), {
      path,
      content,
    });
  }

  /** Whether an added file keeps one from being used that existed before and steers, or that tests use. */
  async function overrules(path: string): Promise<boolean> {
    for (const other of overruledBy(path).filter((one) => existed(one.path))) {
      const before = steers(other.path) || isOfTests(other.path) ? await readBefore(other.path) : undefined;
      const isUsed = before !== undefined && other.has.test(before);
      if (!isUsed || (other.isPartly && !sharesFunctions(before, await repository.readText(commit, path)))) continue;
      if (formerFile(other.path, { before, now: before, commands }) !== undefined) return true;
    }
    return false;
  }
}

/** Whether two texts of Python define a function of the same name. */
function sharesFunctions(before: string, now = ''): boolean {
  const namesOf = (text: string) => [...text.matchAll(/^\s*(?:async\s+)?def\s+(\w+)/gm)].map(([, name]) => name);
  const names = new Set(namesOf(before));
  return namesOf(now).some((name) => names.has(name));
}
