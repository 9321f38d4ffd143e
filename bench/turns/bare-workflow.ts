import { proxyActivities } from '@temporalio/workflow';
import type { BareActivities } from './bare-worker.ts';

const bare = proxyActivities<BareActivities>({ startToCloseTimeout: '1 minute' });

/** The minimum cost of a turn: two activities that do nothing, one after the other. */
export async function bareWorkflow({ turns }: { turns: number }): Promise<void> {
  for (let turn = 1; turn <= turns; turn += 1) {
    await bare.firstOfTurn();
    await bare.secondOfTurn();
  }
}

/** The minimum cost of a run: a workflow with one activity that does nothing. */
export async function bareStepWorkflow(): Promise<void> {
  await bare.firstOfTurn();
}
