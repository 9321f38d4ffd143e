import type { Longhaul } from '../../client/longhaul.ts';
import type { ProjectHandle } from '../../client/project/project-handle.ts';
import type { CommandContext } from '../program/command-context.ts';

/**
 * Does the work with the project that the second word names and with what the first names in it. They may come the other way round, as `revert` and
 * `steer` take them, if only the first word names a project.
 */
export async function withProjectOf<Result>(
  context: CommandContext,
  [first, second]: [string, string],
  work: (project: ProjectHandle, id: string) => Promise<Result>,
): Promise<Result> {
  return context.withLonghaul(async (longhaul) => {
    const { project, id } = await tellApart(longhaul, first, second);
    return work(project, id);
  });
}

async function tellApart(
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
