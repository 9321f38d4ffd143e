import { describeWhatIsLeft, readStandings } from '../../db/budget.ts';
import type { Budgets } from '../../db/shapes.ts';
import type { ProjectRun } from '../../workflows/agent-loop.ts';
import type { Dependencies } from '../dependencies.ts';

const nothing = { usd: 0, unpricedTurns: 0, unknownCalls: 0, tokens: 0, turns: 0, minutes: 0 };

/** What a run is told of its limits as it begins; the text stays as it is, so that the conversation's beginning does. */
export async function describeLimits(
  { database }: Pick<Dependencies, 'database'>,
  run: ProjectRun,
  budgets: Budgets = {},
): Promise<{ turns: string; budget: string }> {
  const { projectId, sessionId, parentRunId: runId } = run;
  const standings = await readStandings(database, budgets, { projectId, sessionId, runId });
  // A topmost run is not there yet.
  const own = budgets.run && !runId ? [{ scope: 'run' as const, budget: budgets.run, spent: nothing }] : [];
  const left = describeWhatIsLeft([...standings, ...own]);
  return {
    turns: String(run.maxTurns),
    budget: left ? `${left} Where one is spent, the project pauses.` : 'No budget is set.',
  };
}
