import type { Longhaul } from '../../client/longhaul.ts';
import type { ProjectHandle } from '../../client/project/project-handle.ts';
import type { CommandContext } from '../program/command-context.ts';

/** Does the work with the named project or, if none is named, with the one to use, whose id it prints to stderr. */
export async function withProject<Result>(
  context: CommandContext,
  reference: string | undefined,
  work: (project: ProjectHandle, longhaul: Longhaul) => Promise<Result>,
): Promise<Result> {
  return context.withLonghaul(async (longhaul) => work(await findProject(context, longhaul, reference), longhaul));
}

async function findProject(
  context: CommandContext,
  longhaul: Longhaul,
  reference: string | undefined,
): Promise<ProjectHandle> {
  if (reference !== undefined) return longhaul.project(reference);
  const { chooseProject } = await import('./choose-project.ts');
  const id = chooseProject(await longhaul.listProjects());
  context.note(`Project: ${id}`);
  return longhaul.project(id);
}
