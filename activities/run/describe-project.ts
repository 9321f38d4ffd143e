import { readProject } from '../../db/project/projects.ts';
import { describeNetwork } from '../../domain/network/describe-network.ts';
import { networkOfProject } from '../../domain/permissions/network-of-rules.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeImage, describeLimits, type PromptVariables } from './describe-run.ts';

/** What the initializer reads. */
export async function describeProject(dependencies: Dependencies, run: AgentRun<'project'>): Promise<PromptVariables> {
  const project = await readProject(dependencies.database, run.owner.id);
  const { image = dependencies.defaultImage } = project.settings;
  const access = networkOfProject(project.settings, dependencies.agents.permissions.rules);
  // Describes the image too: a variable of its own would break the initializer prompts that people wrote themselves.
  const network = `${describeImage(image)} ${describeNetwork(access)}`;
  const repository = run.sandbox
    ? 'It already has files, which are in your workspace. Read them first: what exists, how it is built and tested, what its style is. Plan only what the goal adds, and leave changes to existing files to the sessions. Your set-up script replaces an existing `init.sh`, so it must also do what that script does.'
    : 'It is empty; there is no workspace to read. Propose the project at once.';
  const limits = await describeLimits(dependencies, run, project.settings.budgets);
  return { instructions: { ...limits, network }, task: { goal: project.goal, repository } };
}
