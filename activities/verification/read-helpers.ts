import type { HelperFile } from '../../domain/verification/spoil/helpers/helper-file.ts';
import { fileOf, importedNames } from '../../domain/verification/spoil/helpers/imported-names.ts';
import { isSteering } from '../../domain/verification/steering-files.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import { isProtected } from './protected-files.ts';
import type { CheckFile } from './read-checks.ts';

type CheckText = Pick<CheckFile, 'path' | 'content'>;

/** The files from which checks take functions by their names, as they are at a commit: those of tests, those that are protected, and those of a sealed check. */
export async function readHelpers(
  repository: ProjectRepository,
  {
    commit,
    checks,
    sealed,
    protectedPaths,
    steeringFiles,
  }: {
    commit: string;
    checks: CheckText[];
    sealed: CheckText[];
    protectedPaths: readonly string[];
    steeringFiles: readonly string[];
  },
): Promise<HelperFile[]> {
  const names = [...checks, ...sealed].flatMap(({ path, content }) =>
    importedNames(path, content).map((imported) => ({ check: path, imported })),
  );
  if (names.length === 0) return [];
  const committed = (await repository.listFiles(commit)).filter((path) => !/(^|\/)node_modules\//.test(path));
  const paths = [...new Set([...committed, ...sealed.map(({ path }) => path)])];
  const sealedText = (path: string) => sealed.find((one) => one.path === path)?.content;
  const judges = (path: string) =>
    sealedText(path) !== undefined || isProtected(path, protectedPaths) || isSteering(path, () => false, steeringFiles);
  const helpers = new Map<string, HelperFile>();
  for (const { check, imported } of names) {
    const path = fileOf(imported, paths);
    if (path === undefined || !judges(path)) continue;
    const content = helpers.get(path)?.content ?? sealedText(path) ?? (await repository.readText(commit, path));
    if (content === undefined) continue;
    const { name, local } = imported;
    helpers.set(path, { path, content, uses: [...(helpers.get(path)?.uses ?? []), { check, name, local }] });
  }
  return [...helpers.values()];
}
