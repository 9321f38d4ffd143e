import { readProject } from '../../db/project/projects.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Dependencies } from '../dependencies.ts';
import type { PromptVariables } from './describe-run.ts';
import { describeImage, describeLimits } from './describe-run.ts';

/** What the initializer is told. */
export async function describeProject(dependencies: Dependencies, run: AgentRun<'project'>): Promise<PromptVariables> {
  const project = await readProject(dependencies.database, run.owner.id);
  const { image = dependencies.defaultImage } = project.settings;
  // Describes the image too: a variable of its own would break the initializer prompts that people wrote themselves.
  const network = `${describeImage(image)} ${
    project.settings.network
      ? 'The agents have network there.'
      : 'The agents have no network there; only the set-up script has.'
  }`;
  const repository = run.sandbox
    ? 'It has files already, which are in your workspace. Read them first: what is there, how it is built and tested, what its style is. Plan only what the goal adds, and leave files that are there to the sessions. Your set-up script takes the place of an `init.sh` that is there, so it must also do what that one does.'
    : 'It is empty; you have no workspace to look at. Propose the project at once.';
  const limits = await describeLimits(dependencies, run, project.settings.budgets);
  return { instructions: { ...limits, network }, task: { goal: project.goal, repository } };
}
