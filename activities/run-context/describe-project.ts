import { resolveProject } from '../../db/projects.ts';
import type { ProjectRun } from '../../workflows/agent-loop.ts';
import type { Dependencies } from '../dependencies.ts';
import type { PromptVariables } from './prompt-variables.ts';

/** What the initializer is told. */
export async function describeProject(dependencies: Dependencies, run: ProjectRun): Promise<PromptVariables> {
  const project = await resolveProject(dependencies.database, run.projectId);
  const network = project.settings.network
    ? 'The agents have network there.'
    : 'The agents have no network there; only the set-up script has.';
  const repository = run.sandbox
    ? 'It has files already, which are in your workspace. Read them first: what is there, how it is built and tested, what its style is. Plan only what the goal adds.'
    : 'It is empty; you have no workspace to look at. Propose the project at once.';
  return { instructions: { network }, task: { goal: project.goal, repository } };
}
