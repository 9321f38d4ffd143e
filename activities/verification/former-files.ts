import type { FeatureState } from '../../db/project/features.ts';
import { formerFile, isOfTests, isSteering } from '../../domain/project/steering-files.ts';
import type { ChangedFile, ProjectRepository } from '../../git/repository/project-repository.ts';
import type { PlacedFile } from './prepared-commit.ts';
import { isProtected } from './protected-files.ts';

/** What a commit changed of what steers and helps checks, as it was before. */
export interface FormerFiles {
  /** Changed files that steer runners or that tests use. */
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
  /** See `isSteering`. */
  steeringFiles: readonly string[];
}

export async function readFormerFiles(work: SessionWork): Promise<FormerFiles> {
  const { repository, feature, commit, changed, steeringFiles } = work;
  const { protectedPaths, steps, allowed = [] } = feature.verification;
  const commands = steps.flatMap(({ command }) => command ?? []);
  const isNamed = (path: string) => isProtected(path, protectedPaths);
  const former: FormerFiles = { steering: [], tests: [] };
  for (const { path, change } of changed) {
    if (change === 'added' && isOfTests(path)) former.tests.push({ path, content: null });
    if (allowed.includes(path)) continue;
    const steers = isSteering(path, isNamed, steeringFiles);
    if (change !== 'modified' || !(steers || isOfTests(path))) continue;
    const [before, now] = [await repository.readText(`${commit}^`, path), await repository.readText(commit, path)];
    if (before === undefined || now === undefined) continue; // a symbolic link
    const content = steers ? formerFile(path, { before, now, commands }) : before;
    if (content !== undefined) former[steers ? 'steering' : 'tests'].push({ path, content });
  }
  return former;
}
