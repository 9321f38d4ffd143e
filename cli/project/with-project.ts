import { ClientError } from '../../client/errors.ts';
import type { Longhaul } from '../../client/longhaul.ts';
import type { ProjectHandle } from '../../client/project/project-handle.ts';
import type { Project } from '../../domain/project/project.ts';
import { isTerminal } from '../../domain/project/statuses.ts';
import type { CommandContext } from '../program/command-context.ts';

/** Does the work with the named project or, if none is named, with the chosen one, whose id it prints to stderr. */
export async function withProject<Result>(
  context: CommandContext,
  reference: string | undefined,
  work: (project: ProjectHandle, longhaul: Longhaul) => Promise<Result>,
): Promise<Result> {
  return context.withLonghaul(async (longhaul) => work(await findProject(context, longhaul, reference), longhaul));
}

/** The named project or, if none is named, the chosen one, whose id it prints to stderr. */
export async function findProject(
  context: CommandContext,
  longhaul: Longhaul,
  reference?: string,
): Promise<ProjectHandle> {
  if (reference !== undefined) return longhaul.project(reference);
  const id = chooseProject(await longhaul.listProjects());
  context.note(`Project: ${id}`);
  return longhaul.project(id);
}

/** The only project, or the only one that has not ended. */
export function findOnlyProject(projects: Array<Pick<Project, 'id' | 'status'>>): string | undefined {
  const candidates = projects.length === 1 ? projects : projects.filter(({ status }) => !isTerminal(status));
  return candidates.length === 1 ? candidates[0]?.id : undefined;
}

/**
 * The project to use if none was named: the only one, or the only one that has not ended.
 * @throws {ClientError} `InvalidInput` if that is ambiguous.
 */
export function chooseProject(projects: Array<Pick<Project, 'id' | 'status'>>): string {
  const only = findOnlyProject(projects);
  if (only !== undefined) return only;
  if (projects.length === 0) {
    throw new ClientError('InvalidInput', 'There are no projects yet. `longhaul start "<goal>"` starts one.');
  }
  const open = projects.filter(({ status }) => !isTerminal(status));
  const which = open.length ? open : projects;
  const shown = which.slice(0, 10).map(({ id, status }) => `  ${id} (${status})`);
  const more = which.length > shown.length ? [`  and ${which.length - shown.length} more`] : [];
  throw new ClientError(
    'InvalidInput',
    [
      `Expected the name or id of a project, since ${open.length ? `${open.length} have not ended` : 'all have ended'}:`,
      ...shown,
      ...more,
    ].join('\n'),
  );
}

/**
 * Does the work with the project that the second word names and with what the first names in it. They may come the other way round, as `revert` and
 * `steer` take them, if only the first word names a project.
 * @param inferred The project's id if there is no second word, where the first one says it; else the chosen project is taken.
 */
export async function withProjectOf<Result>(
  context: CommandContext,
  [first, second]: [string, string | undefined],
  work: (project: ProjectHandle, id: string) => Promise<Result>,
  inferred?: string,
): Promise<Result> {
  if (second === undefined) return withProject(context, inferred, (project) => work(project, first));
  return context.withLonghaul(async (longhaul) => {
    const { project, id } = await findEither(longhaul, first, second);
    return work(project, id);
  });
}

async function findEither(
  longhaul: Longhaul,
  first: string,
  second: string,
): Promise<{ project: ProjectHandle; id: string }> {
  try {
    return { project: await longhaul.project(second), id: first };
  } catch (error) {
    const project = await longhaul.project(first).catch(() => undefined);
    if (project === undefined) throw error;
    return { project, id: second };
  }
}

/** The project in a checkpoint's full id (`<project>/c3`); undefined for a short id or a commit. */
export function projectInCheckpointId(id: string): string | undefined {
  return id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : undefined;
}
