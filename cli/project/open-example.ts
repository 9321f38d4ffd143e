import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Longhaul } from '../../client/longhaul.ts';
import type { ProjectHandle } from '../../client/project/project-handle.ts';
import { exampleName, readExampleGoal } from '../../client/start/example-goal.ts';
import type { CommandContext } from '../program/command-context.ts';

/** The example project in progress, so that a second `npm start` follows it; otherwise a new one. */
export async function openExample(context: CommandContext, longhaul: Longhaul): Promise<ProjectHandle> {
  const goal = await readExampleGoal();
  const projects = await longhaul.listProjects();
  const underWay = projects.find(
    (project) => project.goal === goal && (project.status === 'ACTIVE' || project.status === 'INITIALIZING'),
  );
  if (underWay) {
    context.print(`\nThe example is under way already: following ${underWay.id}.`);
    return longhaul.project(underWay.id);
  }
  const { home } = await context.configuration();
  return longhaul.startProject({ goal, name: exampleName, folder: freeFolder(join(home, 'projects'), exampleName) });
}

/** `name` in a folder or, if taken, `name-2`, `name-3` and so on. */
export function freeFolder(parent: string, name: string): string {
  for (let count = 1; ; count += 1) {
    const folder = join(parent, count === 1 ? name : `${name}-${count}`);
    if (!existsSync(folder)) return folder;
  }
}
