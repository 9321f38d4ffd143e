import { readStandings } from '../../db/budget/read-standings.ts';
import { describeWhatIsLeft } from '../../domain/project/budgets.ts';
import type { Budgets } from '../../domain/project/settings.ts';
import type { AgentRun } from '../../domain/run/agent-run.ts';
import { imageName } from '../../sandbox/image/image-tag.ts';
import type { Dependencies } from '../dependencies.ts';

/** Values for the variables of a run's two prompts. */
export interface PromptVariables {
  instructions: Record<string, string>;
  task: Record<string, string>;
}

/** What an agent may rely on in its sandbox's image. Of a person's own image only the name and the requirements are known. */
export function describeImage(image: string): string {
  if (image.startsWith(`${imageName}:`)) {
    return 'It has bash, git, ripgrep, curl, make, Python 3 with pytest, and Node with npm.';
  }
  return `Its image is \`${image}\`, chosen by a person. Rely only on bash, coreutils, findutils, grep, git and on what that image is known to have.`;
}

const nothing = { usd: 0, unpricedTurns: 0, unknownCalls: 0, tokens: 0, turns: 0, minutes: 0 };

/** The run's limits at its start; the text never changes, so the beginning of the conversation stays the same. */
export async function describeLimits(
  { database }: Pick<Dependencies, 'database'>,
  run: AgentRun<'project'>,
  budgets: Budgets = {},
): Promise<{ turns: string; budget: string }> {
  const { owner, sessionId, parentRunId: runId } = run;
  const standings = await readStandings(database, budgets, { projectId: owner.id, sessionId, runId });
  // A top-level run is not stored yet.
  const own = budgets.run && !runId ? [{ scope: 'run' as const, budget: budgets.run, spent: nothing }] : [];
  const left = describeWhatIsLeft([...standings, ...own]);
  return {
    turns: String(run.maxTurns),
    budget: left ? `${left} When a budget is spent, the project pauses.` : 'No budget is set.',
  };
}
