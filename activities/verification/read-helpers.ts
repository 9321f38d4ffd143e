import type { HelperFile } from '../../domain/verification/spoil/helpers/helper-file.ts';
import { fileOf, importedNames } from '../../domain/verification/spoil/helpers/imported-names.ts';
import { isSteering } from '../../domain/verification/steering-files.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { CheckFile } from './read-checks.ts';

/** The files of tests from which checks take functions by their names, as they are at a commit. */
export async function readHelpers(
  repository: ProjectRepository,
  {
    commit,
    checks,
    steeringFiles,
  }: { commit: string; checks: Array<Pick<CheckFile, 'path' | 'content'>>; steeringFiles: readonly string[] },
): Promise<HelperFile[]> {
  const names = checks.flatMap(({ path, content }) =>
    importedNames(path, content).map((imported) => ({ check: path, imported })),
  );
  if (names.length === 0) return [];
  const paths = (await repository.listFiles(commit)).filter((path) => !/(^|\/)node_modules\//.test(path));
  const helpers = new Map<string, HelperFile>();
  for (const { check, imported } of names) {
    const path = fileOf(imported, paths);
    if (path === undefined || !isSteering(path, () => false, steeringFiles)) continue;
    const content = helpers.get(path)?.content ?? (await repository.readText(commit, path));
    if (content === undefined) continue;
    const { name, local } = imported;
    helpers.set(path, { path, content, uses: [...(helpers.get(path)?.uses ?? []), { check, name, local }] });
  }
  return [...helpers.values()];
}
