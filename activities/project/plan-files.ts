import type { ProjectRow } from '../../db/project/project-transaction.ts';
import { listProjects } from '../../db/project/projects.ts';
import { foldersAbove } from '../../domain/folders-above.ts';
import type { Proposal } from '../../domain/project/proposal.ts';
import type { ProjectRepository } from '../../git/repository/project-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/** Runs first in each sandbox. */
const setUpPath = 'init.sh';

/** The ref that keeps the commit of a project's plan. */
export function planRef(projectId: string): string {
  return `refs/longhaul/plans/${projectId}`;
}

/** The files of a plan's commit. */
export function planFiles(proposal: Proposal): Array<{ path: string; content: string; executable: boolean }> {
  return [
    { path: setUpPath, content: setUpContent(proposal), executable: true },
    ...[...proposal.files, ...proposal.features.flatMap((feature) => feature.verification.files)].map(toTreeFile),
  ];
}

/** A proposed file as it is committed: a script with a `#!` line can be executed unless it says otherwise. */
export function toTreeFile({ path, content, executable }: Proposal['files'][number]) {
  return { path, content, executable: executable ?? content.startsWith('#!') };
}

function setUpContent(proposal: Proposal): string {
  return `${proposal.setup_script}\n`;
}

/** Where plans are made. */
export interface Ground {
  repository: ProjectRepository;
  /** The commits of all plans that were made in its folder. */
  plans: string[];
}

export async function openGround(
  { database, openRepository }: Pick<Dependencies, 'database' | 'openRepository'>,
  { folder, branch }: ProjectRow,
): Promise<Ground> {
  const repository = await openRepository(folder, branch);
  const here = (await listProjects(database)).filter((project) => project.folder === folder);
  const plans = await Promise.all(here.map(({ id }) => repository.resolve(planRef(id))));
  return { repository, plans: plans.filter((plan) => plan !== undefined) };
}

/** Commits a person's changes, since uncommitted files can conflict with a plan too. Returns the branch's commit; undefined if it has none. */
export async function commitPresent(repository: ProjectRepository): Promise<string | undefined> {
  return (await repository.head()) && (await repository.commitPersonChanges()).head;
}

/**
 * One complaint for each file of a plan that would replace something else in a commit. A plan may replace what an earlier plan left, and `init.sh`,
 * which every plan has: see `replacesSetUp`.
 */
export async function findConflicts(ground: Ground, commit: string, proposal: Proposal): Promise<string[]> {
  const present = new Set(await ground.repository.listFiles(commit));
  const folders = new Set([...present].flatMap(foldersAbove));
  const complaints: string[] = [];
  for (const { path, content } of planFiles(proposal)) {
    const file = foldersAbove(path).find((folder) => present.has(folder));
    if (folders.has(path)) complaints.push(`files: "${path}" is a folder in the repository`);
    else if (file !== undefined)
      complaints.push(`files: "${file}" is a file in the repository, so "${path}" cannot be in a folder of that name`);
    else if (path !== setUpPath && present.has(path) && !(await mayReplace(ground, commit, { path, content })))
      complaints.push(
        `files: "${path}" exists in the repository; leave it out, since sessions can edit it, or choose another path`,
      );
  }
  return complaints;
}

/** Whether the set-up script replaces an `init.sh` in a commit that no plan left there. */
export async function replacesSetUp(ground: Ground, commit: string, proposal: Proposal): Promise<boolean> {
  if (!(await ground.repository.listFiles(commit)).includes(setUpPath)) return false;
  return !(await mayReplace(ground, commit, { path: setUpPath, content: setUpContent(proposal) }));
}

/** True if the file has the same content, or is still as an earlier plan left it. */
async function mayReplace(
  { repository, plans }: Ground,
  commit: string,
  { path, content }: { path: string; content: string },
): Promise<boolean> {
  const present = await repository.readFile(commit, path);
  if (!present) return false; // a link or a submodule
  if (present.equals(Buffer.from(content))) return true;
  for (const plan of plans) {
    if ((await repository.readFile(plan, path))?.equals(present)) return true;
  }
  return false;
}
