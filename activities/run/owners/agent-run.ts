import { readAgentRun } from '../../../db/agent-runs/agent-runs.ts';
import { sumUsage } from '../../../db/usage/sum-usage.ts';
import { findReachedCost } from '../../../domain/agent-run/run-request.ts';
import type { Dependencies } from '../../dependencies.ts';
import { alternating } from '../../model/conversation-for-model.ts';
import { openRunSandbox } from '../../sandbox/run-sandbox.ts';
import type { Owner } from './owner.ts';

/** Runs of users' own agents: their workflow checks their limits, and their own tools run in their own process. */
export function createAgentRunOwner(dependencies: Dependencies): Owner {
  const { prompts, database } = dependencies;
  return {
    label: 'Run',
    advice: { next: 'retry' },
    survivesRefusal: false,
    waitsForHost: true,
    selectMessages: (messages) => messages,
    formatMessages: (messages) => alternating(messages, prompts.render('go-on', {})),
    modelsOf: (_run, { model }) => model,
    async checkBudget({ runId }) {
      const { limits } = await readAgentRun(database, runId);
      if (limits.usd === undefined) return { standings: [], warnings: [] };
      const { costUsd } = await sumUsage(database, { runId });
      const reason = findReachedCost(costUsd, limits);
      return { standings: [], warnings: [], ...(reason !== undefined && { stop: { reason, budgets: {} } }) };
    },
    readFacts: async () => ({ steered: [], chatted: [], decisions: [] }),
    sandboxOf: ({ runId }) => runId,
    openSandbox: async ({ run }) => ({ sandbox: await openRunSandbox(dependencies, run.runId) }),
    searchMemory: async () => 'This run has no memories.',
  };
}
